import { type Pace, paced } from '../load/pacedLoad.ts';
import { awaitArrivals } from './arrivals.ts';
import type { ContactLoad } from './contactLoad.ts';

/** What another account and its receivers do while an account is measured. */
export interface BackgroundLoad {
  name: string;
  /** How many receivers the other account has. */
  receivers: number;
  /** Before anything is measured. */
  prepare(others: ContactLoad): unknown;
  /** When the changes of that account begin. */
  begin?(others: ContactLoad): void;
  /** Makes the changes of that account; by default at the pace of the measured one. */
  changes?(others: ContactLoad, pace: Pace): Promise<unknown>;
}

/** The number of receivers of the loads at a pace. */
const few = 2;

/** The most receivers that an account may have. */
const many = 25;

/** The changes at once of the largest load. */
const atOnce = 200;

/** Makes many changes at once. Resolves when all of them have arrived at each receiver. */
async function burst({ create, receivers }: ContactLoad): Promise<void> {
  const since = Date.now();
  await create(atOnce);
  await Promise.all(receivers.map((receiver) => awaitArrivals(receiver, since, atOnce)));
}

/** Makes many changes at once, and as many again as soon as all of them have arrived at each receiver. */
async function flood(others: ContactLoad, { seconds }: Pace): Promise<void> {
  for (const end = Date.now() + 1000 * seconds; Date.now() < end; ) await burst(others);
}

const stopAnswering = ({ receivers }: ContactLoad): void => {
  for (const receiver of receivers) receiver.stopAnswering();
};

/** Long enough that all receivers are known to be quick. */
const warmUp = { perSecond: 10, seconds: 2 };

export const backgroundLoads: readonly BackgroundLoad[] = [
  { name: 'receivers that answer', receivers: few, prepare: ({ change }) => paced(warmUp, change) },
  { name: 'receivers that never answer', receivers: few, prepare: stopAnswering },
  {
    name: 'receivers that refuse connections',
    receivers: few,
    prepare: ({ receivers }) => Promise.all(receivers.map((receiver) => receiver.close())),
  },
  {
    name: 'receivers that were quick and stop answering',
    receivers: few,
    prepare: ({ change }) => paced(warmUp, change),
    begin: stopAnswering,
  },
  {
    name: `receivers, ${atOnce} changes at once`,
    receivers: many,
    prepare: burst,
    changes: flood,
  },
];
