import { counted } from '../numbers.ts';

/** All texts of the view. */
export const texts = {
  title: 'Usage',
  about:
    'The requests with the API keys of this account. They are usually counted within 3 minutes, and are no basis for a bill.',
  refresh: 'Refresh',
  reading: 'usage',
  none: (range: string) =>
    `No requests in the last ${range}. The first ones are shown here about 3 minutes after they were made.`,
  chart: 'Requests by time',
  hours: (zone: string) => `Hours are in ${zone}. The striped one is not over yet.`,
  days: 'Days begin at midnight UTC. The striped one is not over yet.',
  soFar: ' so far',
  inAll: (count: number) => `${counted(count)} in all`,
  failed: 'Failed requests of this time',
  totals: 'Requests in all',
  firstColumn: { status: 'Status', key: 'Key', operation: 'Operation' },
  columns: ['Requests', 'Average time'],
  milliseconds: (ms: number) => `${counted(Math.round(ms))} ms`,
  save: 'Download as CSV',
  allNumbers: 'All numbers as a table',
  numbers: 'Numbers',
  time: 'Time',
  total: 'In all',
  ranges: 'Time',
  range: { '24h': '24 hours', '7d': '7 days', '30d': '30 days', '400d': '400 days' },
  groupings: 'Grouped by',
  by: { status: 'By status', key: 'By key', operation: 'By operation' },
  allKeys: 'All keys',
  only: (operation: string) => `Only ${operation}: show all`,
  others: (count: number) => `${count} others`,
  statuses: { '2xx': '2xx succeeded', '4xx': '4xx client errors', '5xx': '5xx server errors' },
} as const;
