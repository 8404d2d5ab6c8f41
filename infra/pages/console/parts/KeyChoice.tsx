import type { ConsoleKey } from '../../../../lib/contract/console/keys.ts';
import { Choice, orAny } from './Choice.tsx';
import * as texts from './texts.ts';

interface Props {
  /** The words for no key. */
  any: string;
  /** Undefined while they are not known. */
  keys: readonly ConsoleKey[] | undefined;
  /** The id of a key, or empty. */
  chosen: string;
  choose: (id: string) => void;
}

/** One of the keys, or all. */
export const KeyChoice = ({ any, keys = [], chosen, choose }: Props) => (
  <Choice
    label={texts.key}
    options={orAny(
      any,
      keys.map(({ id, name, display }) => [id, `${name} (${display})`]),
      chosen,
    )}
    chosen={chosen}
    choose={choose}
  />
);
