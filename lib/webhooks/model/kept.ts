import { expiryOf, firstKeptOf } from '../../feed/store.ts';
import type { Subscription } from './subscription.ts';

/** How many days a held delivery waits, at least. Then it is given up. */
const waitingDays = 30;

/** How many days the log shows a delivery. Longer than it waits: its owner sees that it was given up, and can send it again. */
export const loggedDays = 35;

type Extent = Pick<Subscription, 'log_count' | 'log_days'>;

/** The first position of the log that can be read. */
export const firstLogged = ({ log_count, log_days }: Extent): number =>
  firstKeptOf(log_days, log_count, loggedDays);

/** The first position of a delivery that may still be held. */
export const firstWaiting = ({ log_count, log_days }: Extent): number =>
  firstKeptOf(log_days, log_count, waitingDays);

/** When the database may remove what was stored for the log at a time, in epoch seconds. */
export const expiryOfLogged = (at: Date): number => expiryOf(at, loggedDays);
