import type { FailureGroup } from '../../../../lib/contract/console/consoleUsage.ts';
import { groupKeysMax } from '../../../../lib/contract/console/groupKeysMax.ts';
import { KeyName } from '../parts/KeyName.tsx';
import { Cell, Table } from '../parts/Table.tsx';
import { Time } from '../parts/Time.tsx';
import { Advice } from './Advice.tsx';
import { Status } from './FailureTable.tsx';
import * as texts from './failureTexts.ts';
import { reasonInBrief } from './failureWords.ts';

interface Props {
  groups: readonly FailureGroup[];
  /** The address of the requests of a group. */
  hrefOf: (group: FailureGroup) => string;
  /** True on the page of a key, where each row is about that key. */
  isOfKey: boolean;
  /** Whether all requests of a group are known. */
  isExact: (group: FailureGroup) => boolean;
}

/** Failed requests by what they have in common: the reason leads to each of them. */
export const GroupTable = ({ groups, hrefOf, isOfKey, isExact }: Props) => (
  <Table
    class="cards lines"
    caption={texts.caption.groups}
    columns={texts.columnsGroups.slice(0, isOfKey ? -1 : undefined)}
  >
    {groups.map((group) => (
      <Group key={group.id} of={group} href={hrefOf(group)} isOfKey={isOfKey} isExact={isExact(group)} />
    ))}
  </Table>
);

interface GroupProps extends Pick<Props, 'isOfKey'> {
  of: FailureGroup;
  href: string;
  isExact: boolean;
}

function Group({ of, href, isOfKey, isExact }: GroupProps) {
  const { latest, key_ids, count } = of;
  const [, operation, status, requests, lastTime, firstTime, key] = texts.columnsGroups;
  return (
    <tr>
      <th scope="row" class="brief">
        <span>
          <a href={href} title={reasonInBrief(latest)}>
            {reasonInBrief(latest)}
          </a>
        </span>
        <small>
          <Advice of={latest} keyId={key_ids.length === 1 ? key_ids[0] : undefined} />
        </small>
      </th>
      <Cell of={operation} class="bare">
        <code class="break">
          {latest.method} {latest.path}
        </code>
      </Cell>
      <Cell of={status} class="bare">
        <Status of={latest} />
      </Cell>
      <Cell of={requests}>{texts.count(count, isExact)}</Cell>
      <Cell of={lastTime}>
        <Time at={of.last_at} />
      </Cell>
      <Cell of={firstTime}>
        <Time at={of.first_at} />
      </Cell>
      {!isOfKey && (
        <Cell of={key}>
          {key_ids.length === 1 ? (
            <KeyName id={key_ids[0] as string} />
          ) : (
            texts.keys(key_ids.length, key_ids.length < groupKeysMax)
          )}
        </Cell>
      )}
    </tr>
  );
}
