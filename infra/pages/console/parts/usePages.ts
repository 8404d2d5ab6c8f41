import { type Loading, readBefore, replaceData, useLoading } from '../loading.ts';

/** A list, as far as it was read. */
export interface Pages<Item, Place> {
  data: readonly Item[];
  /** Where the next page begins; undefined at the end. */
  next?: Place | undefined;
}

/**
 * Reads a list page by page. It is shown again, and read again, as far as it was read before.
 * @param readPage reads the first page, or the one after those that are known
 * @param of names the list, in all of the page
 */
export function usePages<List extends Pages<unknown, unknown>>(
  readPage: (known?: List) => Promise<List>,
  of: string,
): Loading<List> & { older: () => Promise<void> } {
  const withNext = async (known: List): Promise<List> => {
    const page = await readPage(known);
    return { ...page, data: [...known.data, ...page.data] };
  };
  const readAll = async () => {
    const wanted = (readBefore(of) as List | undefined)?.data.length ?? 0;
    let list = await readPage();
    while (list.data.length < wanted && list.next !== undefined) list = await withNext(list);
    return list;
  };
  const loading = useLoading(readAll, of);
  return { ...loading, older: async () => replaceData(of, await withNext(loading.data as List)) };
}
