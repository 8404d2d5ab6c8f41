import { counted } from '../locale.ts';

// All texts of the view.

export const title = 'Usage';
export const about =
  'Requests with the API keys of this account. They are usually counted within 3 minutes, and are not meant for billing.';
export const reading = 'usage';
export const none = (range: string) =>
  `No requests in the last ${range}. The first ones are shown here about 3 minutes after they were made.`;
export const guide = 'How to make a request';
export const figuresRequests = 'Requests';
export const figuresFailed = 'Failed';
export const figuresBroken = 'Server errors (5xx)';
export const figuresTime = 'p95 latency';
export const change = (percent: string, range: string) => `${percent} vs. the previous ${range}`;
export const noneBefore = (range: string) => `none in the previous ${range}`;
export const noChange = 'no earlier data';
export const chart = 'Requests by time';
export const hours = (zone: string) => `Hours are in ${zone}. The striped one is not over yet.`;
export const days = 'Days begin at midnight UTC. The striped one is not over yet.';
export const soFar = ' so far';
export const inAll = (count: number) => `${counted(count)} in total`;
export const failed = 'Failed requests in this period';
export const totals = 'Requests in total';
export const firstColumn = { status: 'Status', key: 'Key', operation: 'Operation' } as const;
export const columns = ['Requests', 'p95 latency'] as const;
export const columnsOfFailed = ['Requests', 'Failed', 'p95 latency'] as const;
/** Of `total` requests, how many failed. */
export const failedOf = (failed: number, total: number) =>
  failed === 0
    ? '0'
    : `${counted(failed)} (${failed * 100 < total ? '<1' : Math.round((100 * failed) / total)} %)`;
export const milliseconds = (ms: number) => `${counted(Math.round(ms))} ms`;
export const allNumbers = 'All numbers as a table';
export const numbers = 'Numbers';
export const time = 'Time';
export const total = 'Total';
export const range = { '24h': '24 hours', '7d': '7 days', '30d': '30 days', '400d': '400 days' } as const;
export const groupings = 'Grouped by';
export const by = { status: 'By status', key: 'By key', operation: 'By operation' } as const;
export const only = (operation: string) => `Only ${operation}: show all`;
export const others = (count: number) => `${count} others`;
export const statuses = {
  '2xx': '2xx succeeded',
  '4xx': '4xx client errors',
  '5xx': '5xx server errors',
} as const;
