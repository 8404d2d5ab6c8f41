/** The query of the address that `rel="next"` of a header Link leads to; undefined on the last page. */
export function nextQuery(link: unknown): Record<string, string> | undefined {
  const [, next] = /<([^<>]+)>; rel="next"/.exec(String(link)) ?? [];
  return next === undefined ? undefined : Object.fromEntries(new URL(next).searchParams);
}
