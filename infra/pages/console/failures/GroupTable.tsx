import { groupKeysMax } from '../../../../lib/contract/console/groupKeysMax.ts';
import type { FailureGroup } from '../../../../lib/contract/console/usage.ts';
import { Head } from '../parts/Head.tsx';
import { Time } from '../parts/Time.tsx';
import { KeyName, Status } from './FailureTable.tsx';
import * as texts from './texts.ts';
import { adviceFor, reasonInBrief } from './words.ts';

interface Props {
  groups: readonly FailureGroup[];
  /** The address of the requests of a group. */
  hrefOf: (group: FailureGroup) => string;
  nameOf: (keyId: string) => string;
  /** Whether all requests of a group are known. */
  isExact: (group: FailureGroup) => boolean;
}

/** Failed requests by what they have in common: the number leads to each of them. */
export const GroupTable = ({ groups, hrefOf, nameOf, isExact }: Props) => (
  <table class="cards lines groups">
    <caption class="unseen">{texts.caption.groups}</caption>
    <Head of={texts.columns.groups} />
    <tbody>
      {groups.map((group) => (
        <Group key={group.id} of={group} href={hrefOf(group)} nameOf={nameOf} isExact={isExact(group)} />
      ))}
    </tbody>
  </table>
);

interface GroupProps extends Pick<Props, 'nameOf'> {
  of: FailureGroup;
  href: string;
  isExact: boolean;
}

function Group({ of, href, nameOf, isExact }: GroupProps) {
  const { latest, key_ids, count } = of;
  const [number, unit] = [texts.count(count, isExact), texts.unit(count, isExact)];
  const [, operation, status, reason, key, lastTime, firstTime] = texts.columns.groups;
  return (
    <tr>
      <th scope="row">
        <a href={href} aria-label={`${number} ${unit}: ${reasonInBrief(latest)}`}>
          {number}
          <span class="unit"> {unit}</span>
        </a>
      </th>
      <td data-label={operation}>
        <code class="break">
          {latest.method} {latest.path}
        </code>
      </td>
      <td data-label={status}>
        <Status of={latest} />
      </td>
      <td data-label={reason} class="brief">
        <span>{reasonInBrief(latest)}</span>
        {adviceFor(latest) && <small>{adviceFor(latest)}</small>}
      </td>
      <td data-label={key}>
        {key_ids.length === 1 ? (
          <KeyName id={key_ids[0] as string} nameOf={nameOf} />
        ) : (
          texts.keys(key_ids.length, key_ids.length < groupKeysMax)
        )}
      </td>
      <td data-label={lastTime}>
        <Time at={of.last_at} />
      </td>
      <td data-label={firstTime}>
        <Time at={of.first_at} />
      </td>
    </tr>
  );
}
