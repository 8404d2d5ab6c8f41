import type { Changing } from './changing.ts';
import { paced } from './paced.ts';

/** What the receivers of another account do while one is measured. */
export interface Beside {
  name: string;
  /** Before anything is measured. */
  prepare(others: Changing): unknown;
  /** When the changes of that account begin. */
  begin?(others: Changing): void;
}

const fallSilent = ({ receivers }: Changing): void => {
  for (const receiver of receivers) receiver.fallSilent();
};

/** So long that all of them are known to be quick. */
const meeting = { perSecond: 10, seconds: 2 };

export const besides: readonly Beside[] = [
  { name: 'that answer', prepare: ({ change }) => paced(meeting, change) },
  { name: 'that never answer', prepare: fallSilent },
  {
    name: 'that refuse connections',
    prepare: ({ receivers }) => Promise.all(receivers.map((receiver) => receiver.close())),
  },
  {
    name: 'that were quick and fall silent',
    prepare: ({ change }) => paced(meeting, change),
    begin: fallSilent,
  },
];
