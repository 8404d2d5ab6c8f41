import type { Schema } from './api.ts';

interface Page<Item> {
  data: Item[];
  pagination: Pick<Schema<'RecordPagination'>, 'total'>;
}

const limit = 100;

/** A whole list, page by page. What was there at the beginning comes exactly once, also while others create. */
export async function* walk<Item>(
  page: (query: { limit: number; offset: number }) => Promise<Page<Item>>,
): AsyncGenerator<Item> {
  for (let offset = 0; ; offset += limit) {
    const { data, pagination } = await page({ limit, offset });
    yield* data;
    if (offset + limit >= pagination.total) return;
  }
}

/** A list with filters, from which records can be removed meanwhile: each page begins behind the last record of the one before. */
export async function* walkBehind<Item extends { id: string }>(
  page: (query: { limit: number; after?: string }) => Promise<Page<Item>>,
): AsyncGenerator<Item> {
  for (let position: { after?: string } = {}; ; ) {
    const { data, pagination } = await page({ limit, ...position });
    yield* data;
    const last = data.at(-1);
    // As Link has no next then. Until an empty page, each record that others create would take a request.
    if (!last || data.length >= pagination.total) return;
    position = { after: last.id };
  }
}

export async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
