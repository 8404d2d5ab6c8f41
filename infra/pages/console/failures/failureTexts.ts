import { counted } from '../locale.ts';
import { spans } from '../parts/partTexts.ts';

// All texts of the view.

export const title = 'Failed requests';
export const about =
  'Requests that got an error in the last 14 days, except for those with an unknown key. They are usually listed within 3 minutes. Bodies and values are never kept.';
export const ofKey = 'Failed requests of the last 14 days';
export const reading = 'failed requests';
export const readingOne = 'failed request';
export const views = { groups: 'By reason', requests: 'Every request' } as const;
export const view = 'Shown';
export const caption = { groups: 'Failed requests by reason', requests: 'Failed requests' } as const;
export const columnsGroups = [
  'Reason',
  'Operation',
  'Status',
  { name: 'Requests', isNumber: true },
  'Last',
  'First',
  'Key',
] as const;
export const columnsOfGroup = ['When', 'Request ID', 'Key', { name: 'Duration', isNumber: true }] as const;
export const columnsRequests = ['Request', 'Status', 'Reason', 'Key', 'When'] as const;
export const filtersStatus = 'Status';
export const filtersTime = 'Time';
export const statuses = [
  ['', 'Any status'],
  ['4xx', '4xx: client errors'],
  ['5xx', '5xx: server errors'],
] as const;
export const times = [['', 'Last 14 days'], ...spans] as const;
export const span = (from: string, to: string) => `${from} to ${to}`;
export const keys = (count: number, isAll: boolean) => `${counted(count)}${isAll ? '' : ' or more'} keys`;
export const count = (count: number, isExact: boolean) => `${counted(count)}${isExact ? '' : '+'}`;
export const allGroups = '← All reasons';
export const details = { id: 'Request ID', took: 'Duration', when: 'When', why: 'Reason' } as const;
export const milliseconds = (ms: number) => `${counted(ms)} ms`;
export const more = (count: number) => `and ${counted(count)} more`;
export const notKept = (count: number) =>
  `${count === 1 ? '1 more failed request was' : `${counted(count)} more failed requests were`} counted, but not kept, because only some failed requests of a very busy key are kept.`;
export const notKeptOfGroup = 'Some of them may have this reason.';
export const notKeptOfGroups = 'So a number with “+” may be higher.';
export const inUsage = 'Usage counts them all.';
export const groupedSince = (time: string) =>
  `Of very many requests, only those since ${time} are grouped. So a number with “+” may be higher.`;
export const guide = 'What each error means';
export const noneAll =
  'No request has failed in the last 14 days. Requests with an unknown or incomplete key belong to no account, so they are never listed.';
export const noneFiltered = 'No failed requests match.';
export const noneKey = 'No failed requests.';
export const noneId = (id: string) =>
  `No failed request of the last 14 days has the ID “${id}”. The ID is in the header X-Request-Id of each response. A request that has just failed can take 3 minutes to appear.`;

/** Why the gateway or the authorizer has refused a request, which no function has seen. */
export const reasons: Record<number, string> = {
  403: 'The key lacks the scope of this operation, or its account is suspended.',
  413: 'The body is larger than 6 MB.',
  415: 'The body is compressed in a way that is not known here.',
  429: 'Too many requests at once.',
  504: 'The request timed out.',
};
export const otherReason = {
  '4xx': 'The response named the reason, which is not kept.',
  '5xx': 'Something went wrong on our side.',
} as const;
export const needsScope = (scope: string) => `Add the scope ${scope} to this key.`;
export const addScope = (scope: string) => `Add ${scope}…`;
export const sendAgain = 'Send it again. If it fails again, tell us its request ID.';
export const advice: Record<number, string> = {
  400: 'Correct what the program sends.',
  401: 'Give the program a key that works.',
  404: 'It was deleted, or its ID belongs to another account.',
  412: 'Read the record again, and send its new ETag.',
  429: 'Slow down: wait as long as Retry-After says.',
};
