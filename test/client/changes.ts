import { type Api, bodyOf, type Schema } from './api.ts';

type Change = Schema<'Change'>;

/** The number of the newest change; -1 when there is none. */
export async function newestNumber(api: Api): Promise<number> {
  const query = { sort: '-number', limit: 1 } as const;
  return bodyOf(await api.GET('/changes', { params: { query } })).pagination.next_after;
}

/** Every change behind a number, oldest first. */
export async function* changesBehind(api: Api, number: number): AsyncGenerator<Change> {
  const limit = 100;
  for (let after = number; ; ) {
    const { data, pagination } = bodyOf(await api.GET('/changes', { params: { query: { after, limit } } }));
    yield* data;
    if (!pagination.has_more) return;
    after = pagination.next_after;
  }
}
