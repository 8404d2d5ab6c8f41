import { counted } from '../../numbers.ts';

// All texts of a redelivery of many.

export const title = 'Redeliver many';
export const action = 'Redeliver';
export const waiting = 'Beginning…';
export const open =
  'No answer came, so it may have begun or not. “Try again” repeats the same request: each delivery is sent again once.';
export const about =
  'Each delivery is sent again once, at the pace of the subscription. You need not stay on this page.';
export const since = 'Stored since';
export const sinceTime = 'Since';
export const before = 'Stored before';
export const beforeTime = 'Before';
export const all = 'All';
export const reading = 'number of deliveries';
export const expected = (count: number) =>
  `${count === 1 ? '1 delivery is like this.' : `${counted(count)} deliveries are like this.`} Those that wait are left out: they are sent anyway.`;
export const which = 'Which';
export const onlyFailed = 'Only those that failed';
export const alsoArrived = 'All, also those that arrived: for a receiver that took them and then lost them';
export const notRead = (why: string) => `How far it is could not be read. ${why}`;
export const tryAgain = 'Try again';
export const close = 'Close';
export const progress = 'Redelivery';
export const states = {
  running: 'Deliveries are being sent again…',
  completed: 'All deliveries that were chosen are sent again.',
  cancelled: 'The redelivery ended, because the subscription was deleted.',
} as const;
export const leftOut = {
  pending: 'wait and are sent anyway',
  other_status: 'have arrived',
  other_type: 'are of other events',
  earlier_host: 'were made for another host',
} as const;
export const lookedAt = (looked: number, total: number, sent: number, skipped: number) =>
  `${counted(looked)} of ${counted(total)} looked at: ${counted(sent)} sent again, ${counted(skipped)} left out`;
export const leftOutInAll = (reasons: string) => `Left out: ${reasons}.`;
export const beginnings = {
  hour: '1 hour ago',
  day: '24 hours ago',
  week: '7 days ago',
  all: '35 days ago: all that are kept',
} as const;
export const now = 'Now';
export const aTime = 'A time…';
export const noTime = 'Enter a date and a time.';
export const notAfter = 'Enter a time after the first.';
export const noEvents = 'Choose at least one.';
