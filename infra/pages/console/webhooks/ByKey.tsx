import type { ConsoleKey } from '../../../../lib/contract/console/keys.ts';
import { Sentence } from '../parts/Sentence.tsx';
import { hrefOf } from '../route.ts';
import * as texts from './texts.ts';

/** The key that has made or changed a subscription; `null` is this page. */
export const ByKey = ({ id, keys }: { id: string | null; keys: readonly ConsoleKey[] }) =>
  id === null ? (
    <span>{texts.inThisPage}</span>
  ) : (
    <Sentence
      of={texts.byKey}
      name={
        <a href={hrefOf('keys', id)}>
          <bdi>{keys.find((key) => key.id === id)?.name ?? id}</bdi>
        </a>
      }
    />
  );
