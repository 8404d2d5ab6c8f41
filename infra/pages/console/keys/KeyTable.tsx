import type { ConsoleKey } from '../../../../lib/contract/console/consoleKeys.ts';
import { counted } from '../locale.ts';
import { Menu } from '../parts/Menu.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { Cell, Table } from '../parts/Table.tsx';
import { Day, LastUse, Time } from '../parts/Time.tsx';
import { hrefOf } from '../route.ts';
import { isOpen, mayChange } from '../sessionState.ts';
import { atMinute } from '../shownTimes.ts';
import * as texts from './keyListTexts.ts';
import { expiresSoon, hintsOf, isEnded, rotatingUntil } from './keyWords.ts';

interface Props {
  keys: readonly ConsoleKey[];
  /** Opens the dialog of a name. */
  open: (name: string) => void;
}

/** The keys as a table; on a phone as cards. */
export const KeyTable = ({ keys, open }: Props) => (
  <Table class="cards" caption={texts.title} columns={texts.columns} hasActions={mayChange()}>
    {keys.map((key) => (
      <KeyRow key={key.id} of={key} open={open} />
    ))}
  </Table>
);

/** A cell that says nothing unusual, which a card leaves out. */
const usual = 'usual';

function KeyRow({ of, open }: { of: ConsoleKey; open: Props['open'] }) {
  const hints = hintsOf(of);
  return (
    <tr class={isEnded(of) ? 'quiet' : ''}>
      <th scope="row">
        <a href={hrefOf('keys', of.id)}>
          <bdi>{of.name}</bdi>
        </a>
        <small class={usual}>
          <Sentence
            of={of.created_by ? texts.createdBy : texts.created}
            day={<Day at={of.created_at} />}
            person={<bdi>{of.created_by?.name}</bdi>}
          />
        </small>
        {hints.length > 0 && <small class="warn">{hints.join(' · ')}</small>}
      </th>
      <Cell of={texts.columns[1]} class="bare">
        <code>{of.display}</code>
      </Cell>
      <Cell of={texts.columns[2]} class="bare">
        <Access of={of} />
      </Cell>
      <Cell of={texts.columns[3]} class={of.status === 'active' ? usual : ''}>
        <Status of={of} />
      </Cell>
      <Cell of={texts.columns[4]} class={hints.length === 0 ? usual : ''}>
        <LastUse at={of.last_used_at} />
      </Cell>
      <Cell of={texts.columns[5]} class={of.expires_at === null || !expiresSoon(of) ? usual : ''}>
        <Expiry of={of} />
      </Cell>
      <Cell of={texts.columns[6]} class={of.failed_24h === 0 ? usual : ''}>
        {isOpen('usage') ? (
          <a href={hrefOf('usage', undefined, { key: of.id })}>{counted(of.requests_24h)}</a>
        ) : (
          counted(of.requests_24h)
        )}
        {of.failed_24h > 0 && isOpen('failed-requests') && (
          <small>
            <a class="bad" href={hrefOf('failed-requests', undefined, { key: of.id, hours: '24' })}>
              {texts.failed(of.failed_24h)}
            </a>
          </small>
        )}
      </Cell>
      {mayChange() && (
        <td class="end">
          {!isEnded(of) && <Menu of={<bdi>{of.name}</bdi>} choices={choicesFor(of, open)} />}
        </td>
      )}
    </tr>
  );
}

export const choicesFor = (key: ConsoleKey, open: Props['open']) => [
  { name: texts.actions.edit, choose: () => open(`edit ${key.id}`) },
  { name: texts.actions.rotate, choose: () => open(`rotate ${key.id}`) },
  { name: texts.actions.revoke, choose: () => open(`revoke ${key.id}`), danger: true },
];

export const Access = ({ of }: { of: ConsoleKey }) =>
  of.full_access ? (
    <span class="badge warn">{texts.kinds.full}</span>
  ) : (
    <span class="badges">
      {of.scopes.map((scope) => (
        <code key={scope}>{scope}</code>
      ))}
    </span>
  );

/** The usual status is no badge, so that the eye finds the others. */
const tones = { active: 'quiet', rotating: 'badge warn', expired: 'badge', revoked: 'badge' };

export function Status({ of }: { of: ConsoleKey }) {
  const until = rotatingUntil(of);
  return (
    <>
      <span class={tones[of.status]}>{of.status}</span>
      {of.status === 'rotating' && until && (
        <small>
          <Sentence of={texts.until} time={<Time at={until} how={atMinute} />} />
        </small>
      )}
      {of.revoked_at && (
        <small>
          <Day at={of.revoked_at} />
        </small>
      )}
    </>
  );
}

export function Expiry({ of }: { of: ConsoleKey }) {
  if (of.expires_at === null) return <span class="quiet">{texts.never}</span>;
  return (
    <span class={!isEnded(of) && expiresSoon(of) ? 'warn' : ''}>
      <Time at={of.expires_at} />
    </span>
  );
}
