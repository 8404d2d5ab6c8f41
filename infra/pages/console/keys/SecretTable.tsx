import type { ConsoleKey } from '../../../../lib/contract/console/consoleKeys.ts';
import { Sentence } from '../parts/Sentence.tsx';
import { Table } from '../parts/Table.tsx';
import { LastUse, Time } from '../parts/Time.tsx';
import { atMinute } from '../shownTimes.ts';
import * as texts from './keyTexts.ts';
import { isEnded } from './keyWords.ts';

/** The secrets of a key: until when each works, and when it was last used. */
export const SecretTable = ({ of }: { of: ConsoleKey }) => (
  <Table class="small" caption={texts.detailsSecrets} columns={texts.secretColumns}>
    {of.secrets.map(({ hint, expires_at, last_used_at }) => (
      <tr key={hint}>
        <td>
          <code>…{hint}</code>
        </td>
        <td>
          <Until of={of} expires={expires_at} />
        </td>
        <td>
          <LastUse at={last_used_at} />
        </td>
      </tr>
    ))}
  </Table>
);

/** A secret ends with its key at the latest. */
function Until({ of, expires }: { of: ConsoleKey; expires: string | null }) {
  const end = of.revoked_at ?? of.expires_at;
  if (expires !== null && (end === null || expires < end)) return <Time at={expires} />;
  if (end === null) return <>{texts.untilRotated}</>;
  const words = isEnded(of) ? texts.hasEnded : expires === null ? texts.untilKeyEnds : '{time}';
  return <Sentence of={words} time={<Time at={end} how={atMinute} />} />;
}
