import type { FailedRequest } from '../../../../lib/contract/console/consoleUsage.ts';
import * as texts from './failureTexts.ts';

/** Returns what is known of a failed request whose problems are not. */
export const reasonOf = ({ status, message }: Pick<FailedRequest, 'status' | 'message'>): string =>
  message ?? texts.reasons[status] ?? texts.otherReason[status >= 500 ? '5xx' : '4xx'];

/** Returns why a request failed, in one line: its first problem, and how many there are beside it. */
export const reasonInBrief = (failed: FailedRequest): string => {
  const [first, ...others] = failed.problems;
  if (first === undefined) return reasonOf(failed);
  const words = `${first.field === null ? '' : `${first.field} `}${first.message}`;
  return others.length === 0 ? words : `${words}, ${texts.more(others.length)}`;
};
