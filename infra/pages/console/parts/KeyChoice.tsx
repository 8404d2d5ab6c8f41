import type { ConsoleKey } from '../../../../lib/contract/console/keys.ts';
import { Choice } from './Choice.tsx';
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

/** One of the keys, or all. One whose name is not known is there by its id. */
export const KeyChoice = ({ any, keys = [], chosen, choose }: Props) => {
  const isUnnamed = chosen !== '' && !keys.some(({ id }) => id === chosen);
  const named = keys.map(({ id, name, display }) => [id, `${name} (${display})`] as const);
  return (
    <Choice
      label={texts.key}
      options={[['', any], ...(isUnnamed ? [[chosen, chosen] as const] : []), ...named]}
      chosen={chosen}
      choose={choose}
    />
  );
};
