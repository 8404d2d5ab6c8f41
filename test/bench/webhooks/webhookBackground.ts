import { type Pace, paced } from '../load/pacedLoad.ts';
import { toldOf } from './arrivals.ts';
import type { Changing } from './contactLoad.ts';

/** What another account and its receivers do while one is measured. */
export interface Beside {
  name: string;
  /** How many receivers it has. */
  receivers: number;
  /** Before anything is measured. */
  prepare(others: Changing): unknown;
  /** When the changes of that account begin. */
  begin?(others: Changing): void;
  /** Makes the changes of that account; at the pace of the measured one, unless said otherwise. */
  changes?(others: Changing, pace: Pace): Promise<unknown>;
}

/** Of those whose receivers answer, or do not. */
const few = 2;

/** As many as an account may have. */
const many = 25;

const atOnce = 200;

/** Makes many changes at once. Resolves when each receiver was told of them. */
async function burst({ create, receivers }: Changing): Promise<void> {
  const since = Date.now();
  await create(atOnce);
  await Promise.all(receivers.map((receiver) => toldOf(receiver, since, atOnce)));
}

/** Makes many changes at once, and as many again as soon as each receiver was told of them. */
async function flood(others: Changing, { seconds }: Pace): Promise<void> {
  for (const end = Date.now() + 1000 * seconds; Date.now() < end; ) await burst(others);
}

const fallSilent = ({ receivers }: Changing): void => {
  for (const receiver of receivers) receiver.fallSilent();
};

/** So long that all of them are known to be quick. */
const meeting = { perSecond: 10, seconds: 2 };

export const besides: readonly Beside[] = [
  { name: 'that answer', receivers: few, prepare: ({ change }) => paced(meeting, change) },
  { name: 'that never answer', receivers: few, prepare: fallSilent },
  {
    name: 'that refuse connections',
    receivers: few,
    prepare: ({ receivers }) => Promise.all(receivers.map((receiver) => receiver.close())),
  },
  {
    name: 'that were quick and fall silent',
    receivers: few,
    prepare: ({ change }) => paced(meeting, change),
    begin: fallSilent,
  },
  {
    name: `of ${atOnce} changes at once`,
    receivers: many,
    prepare: burst,
    changes: flood,
  },
];
