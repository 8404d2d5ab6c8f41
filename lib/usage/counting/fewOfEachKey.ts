import type { AccessLine, RequestLine } from './lines.ts';

/** The most failed requests of a key in a batch of the access log that are listed; more are counted. */
const listedMax = 25;

/** The most reasons of a key in a batch of a function's log. They are more, because the two batches do not begin and end with the same requests. */
const reasonsMax = 2 * listedMax;

/**
 * A limited number of lines of each key: one that fails very often must not fill the table. They are those with the lowest request ids,
 * which are random. So the two logs, whose lines come in other batches and in another order, choose the same requests.
 */
function fewOfEachKey<Line extends RequestLine>(lines: readonly Line[], max: number): Line[] {
  const byKey = Map.groupBy(lines, ({ account, key }) => `${account}#${key}`);
  return [...byKey.values()].flatMap((ofKey) => ofKey.sort(byRequestId).slice(0, max));
}

const byRequestId = ({ requestId: a }: RequestLine, { requestId: b }: RequestLine): number =>
  a === b ? 0 : a < b ? -1 : 1;

/** The failed requests in a batch of the access log that are listed. */
export const listedOf = (access: readonly AccessLine[]): AccessLine[] =>
  fewOfEachKey(
    access.filter(({ status }) => status >= 400),
    listedMax,
  );

/** The lines of a function whose reasons are kept. */
export const reasonsOf = <Line extends RequestLine>(failures: readonly Line[]): Line[] =>
  fewOfEachKey(failures, reasonsMax);
