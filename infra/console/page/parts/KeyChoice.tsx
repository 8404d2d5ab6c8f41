import type { ConsoleKey } from '../../../../lib/contract/console/keys.ts';
import { Choice } from './Choice.tsx';

interface Props {
  /** The words for no key. */
  any: string;
  keys: readonly ConsoleKey[];
  /** The id of a key, or empty. */
  chosen: string;
  choose: (id: string) => void;
}

/** One of the keys, or all. */
export const KeyChoice = ({ any, keys, chosen, choose }: Props) => (
  <Choice
    label="Key"
    options={[['', any], ...keys.map(({ id, name, display }) => [id, `${name} (${display})`] as const)]}
    chosen={keys.some(({ id }) => id === chosen) ? chosen : ''}
    choose={choose}
  />
);
