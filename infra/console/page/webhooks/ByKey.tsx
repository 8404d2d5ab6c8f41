import type { ConsoleKey } from '../../../../lib/contract/console/keys.ts';
import { hrefOf } from '../route.ts';

/** The key that has made or changed a subscription; `null` is this page. */
export const ByKey = ({ id, keys }: { id: string | null; keys: readonly ConsoleKey[] }) =>
  id === null ? (
    <>in this page</>
  ) : (
    <>
      by the key{' '}
      <a href={hrefOf('keys', id)}>
        <bdi>{keys.find((key) => key.id === id)?.name ?? id}</bdi>
      </a>
    </>
  );
