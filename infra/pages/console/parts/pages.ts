import { useRef, useState } from 'preact/hooks';
import { readBefore } from '../cache.ts';
import { type Loading, useLoading } from '../loading.ts';

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
  const shown = useRef(0);
  const [longer, show] = useState<{ than: List | undefined; list: List }>();
  const withNext = async (known: List): Promise<List> => {
    const page = await readPage(known);
    return { ...page, data: [...known.data, ...page.data] };
  };
  const loading = useLoading(async () => {
    let list = await readPage();
    while (list.data.length < shown.current && list.next !== undefined) list = await withNext(list);
    return list;
  }, of);
  const list = longer && longer.than === loading.data ? longer.list : loading.data;
  shown.current = list?.data.length ?? 0;
  const older = async () => {
    const next = await withNext(list as List);
    readBefore.set(of, next);
    show({ than: loading.data, list: next });
  };
  return { ...loading, ...(list ? { data: list } : {}), older };
}
