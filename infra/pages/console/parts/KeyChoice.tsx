import { useLoading } from '../loading.ts';
import { readKeys } from '../readKeys.ts';
import { Choice, orAny } from './Choice.tsx';
import * as texts from './partTexts.ts';

interface Props {
  /** The id of a key, or empty. */
  chosen: string;
  choose: (id: string) => void;
}

/** One of the keys, or all. */
export function KeyChoice({ chosen, choose }: Props) {
  const { data: keys = [] } = useLoading(readKeys, 'keys');
  const options = keys.map(({ id, name, display }) => [id, `${name} (${display})`] as const);
  return (
    <Choice
      label={texts.key}
      options={orAny(texts.allKeys, options, chosen)}
      chosen={chosen}
      choose={choose}
    />
  );
}
