/** So many at once, of as many as there are. */
const atOnce = 25;

/** Does work for each entry, a few at a time. @throws the first error, after the work that was under way with it */
export async function fewAtOnce<T, R>(entries: readonly T[], work: (entry: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let i = 0; i < entries.length; i += atOnce) {
    const outcomes = await Promise.allSettled(entries.slice(i, i + atOnce).map(work));
    for (const one of outcomes) {
      if (one.status === 'rejected') throw one.reason;
      results.push(one.value);
    }
  }
  return results;
}
