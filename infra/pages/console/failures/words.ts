import type { FailedRequest } from '../../../../lib/contract/console/usage.ts';
import { counted } from '../numbers.ts';

/** All texts of the view. */
export const texts = {
  title: 'Failed requests',
  about:
    'What was answered with an error in the last 14 days. A request is usually listed within 3 minutes. Bodies and values are never kept.',
  refresh: 'Refresh',
  ofKey: 'Failed requests of the last 14 days',
  reading: 'failed requests',
  views: { groups: 'By reason', requests: 'Every request' },
  view: 'Shown',
  caption: { groups: 'Failed requests by reason', requests: 'Failed requests' },
  columns: {
    groups: ['Requests', 'Operation', 'Status', 'Reason', 'Key', 'Last', 'First'],
    requests: ['Request', 'Status', 'Reason', 'Key', 'When'],
  },
  filters: {
    request: 'Request id',
    requestHint: 'Paste one to find its request',
    key: 'All keys',
    status: 'Status',
    time: 'Time',
  },
  statuses: [
    ['', 'Any status'],
    ['4xx', '4xx: client errors'],
    ['5xx', '5xx: server errors'],
  ],
  times: [
    ['', 'Last 14 days'],
    ['1', 'Last hour'],
    ['24', 'Last 24 hours'],
    ['168', 'Last 7 days'],
    ['today', 'Today'],
    ['yesterday', 'Yesterday'],
  ],
  span: (from: string, to: string) => `${from} to ${to}`,
  keys: (count: number, isAll: boolean) => `${counted(count)}${isAll ? '' : ' or more'} keys`,
  count: (count: number, isExact: boolean) => `${counted(count)}${isExact ? '' : '+'}`,
  unit: (count: number, isExact: boolean) => (count === 1 && isExact ? 'request' : 'requests'),
  allGroups: '← All reasons',
  details: { id: 'Request id', took: 'Duration', when: 'When', why: 'Reason' },
  milliseconds: (ms: number) => `${counted(ms)} ms`,
  more: (count: number) => `and ${counted(count)} more`,
  notKept: (count: number) =>
    `${count === 1 ? '1 more failed request was' : `${counted(count)} more failed requests were`} counted, but not kept: of a key that fails very often, only some are.`,
  notKeptOfGroup: 'Some of them may have this reason.',
  notKeptOfGroups: 'So a number with “+” may be higher.',
  inUsage: 'Usage counts them all.',
  groupedSince: (time: string) =>
    `Of very many requests, only those since ${time} are grouped. So a number with “+” may be higher.`,
  none: {
    all: 'No request has failed in the last 14 days.',
    filtered: 'No failed requests match.',
    key: 'No failed requests.',
    id: (id: string) =>
      `No failed request of the last 14 days has the id “${id}”. It is in the header X-Request-Id of each answer; a request that has just failed may take 3 minutes.`,
  },
} as const;

/** Why the gateway or the authorizer has refused a request, which no function has seen. */
const reasons: Record<number, string> = {
  403: 'The key lacks the scope of this operation, or its account is suspended.',
  413: 'The body is larger than 6 MB.',
  415: 'The body is compressed in a way that is not known here.',
  429: 'Too many requests at once.',
  504: 'It took too long.',
};

/** What is known of a failed request whose problems are not. */
export const reasonOf = ({ status, message }: Pick<FailedRequest, 'status' | 'message'>): string =>
  message ??
  reasons[status] ??
  (status >= 500 ? 'Something went wrong on our side.' : 'The answer named the reason, which is not kept.');

/** What ends failures of a kind; undefined when the reason says it already. */
export function adviceFor({
  status,
  message,
}: Pick<FailedRequest, 'status' | 'message'>): string | undefined {
  const scope = status === 403 ? /the scope (\S+)$/.exec(message ?? '')?.[1] : undefined;
  if (scope) return `Give the key ${scope}.`;
  if (status === 401) return 'Give the program a secret that works.';
  if (status === 429) return 'Send fewer requests at once, and wait as long as Retry-After says.';
  return status >= 500 ? 'Send it again. If it stays, tell us its request ID.' : undefined;
}

/** Why a request failed, in one line: its first problem, and how many there are beside it. */
export const reasonInBrief = (failed: FailedRequest): string => {
  const [first, ...others] = failed.problems;
  if (first === undefined) return reasonOf(failed);
  const words = `${first.field === null ? '' : `${first.field} `}${first.message}`;
  return others.length === 0 ? words : `${words}, ${texts.more(others.length)}`;
};
