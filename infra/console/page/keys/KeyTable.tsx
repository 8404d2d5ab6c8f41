import type { ConsoleKey } from '../../../../lib/contract/console/keys.ts';
import { counted } from '../numbers.ts';
import { Head } from '../parts/Head.tsx';
import { Menu } from '../parts/Menu.tsx';
import { Day, LastUse, Time } from '../parts/Time.tsx';
import { hrefOf } from '../route.ts';
import { isOpen, mayChange } from '../sessionState.ts';
import { atMinute } from '../times.ts';
import type { Opened } from './opened.ts';
import { expiresSoon, hintsOf, isEnded, rotatingUntil } from './words.ts';

interface Props {
  keys: readonly ConsoleKey[];
  open: (opened: Opened) => void;
}

/** The keys as a table; on a phone as cards. */
export const KeyTable = ({ keys, open }: Props) => (
  <table class="cards">
    <caption class="unseen">API keys</caption>
    <Head
      of={['Name', 'Key', 'Access', 'Status', 'Last used', 'Expires', 'Requests 24 h']}
      hasActions={mayChange()}
    />
    <tbody>
      {keys.map((key) => (
        <KeyRow key={key.id} of={key} open={open} />
      ))}
    </tbody>
  </table>
);

function KeyRow({ of, open }: { of: ConsoleKey; open: Props['open'] }) {
  const created = of.created_by ? ` by ${of.created_by.name}` : '';
  const hints = hintsOf(of);
  return (
    <tr class={isEnded(of) ? 'ended' : ''}>
      <th scope="row">
        <a href={hrefOf('keys', of.id)}>{of.name}</a>
        <small>
          Created <Day at={of.created_at} />
          {created}
        </small>
        {hints.length > 0 && <small class="hint">{hints.join(' · ')}</small>}
      </th>
      <td data-label="Key">
        <code>{of.display}</code>
      </td>
      <td data-label="Access">
        <Access of={of} />
      </td>
      <td data-label="Status">
        <Status of={of} />
      </td>
      <td data-label="Last used">
        <LastUse at={of.last_used_at} />
      </td>
      <td data-label="Expires">
        <Expiry of={of} />
      </td>
      <td data-label="Requests 24 h">
        {isOpen('usage') ? (
          <a href={hrefOf('usage', of.id)}>{counted(of.requests_24h)}</a>
        ) : (
          counted(of.requests_24h)
        )}
      </td>
      {mayChange() && (
        <td class="end">
          {!isEnded(of) && <Menu label={`Actions for ${of.name}`} choices={choicesFor(of, open)} />}
        </td>
      )}
    </tr>
  );
}

export const choicesFor = (key: ConsoleKey, open: Props['open']) => [
  { name: 'Edit…', choose: () => open({ kind: 'edit', key }) },
  { name: 'Rotate…', choose: () => open({ kind: 'rotate', key }) },
  { name: 'Revoke…', choose: () => open({ kind: 'revoke', key }), danger: true },
];

export const Access = ({ of }: { of: ConsoleKey }) =>
  of.full_access ? (
    <span class="badge warn">Full access</span>
  ) : (
    <span class="badges">
      {of.scopes.map((scope) => (
        <span key={scope} class="badge">
          {scope}
        </span>
      ))}
    </span>
  );

const tones = { active: 'good', rotating: 'warn', expired: '', revoked: '' };

export function Status({ of }: { of: ConsoleKey }) {
  const until = rotatingUntil(of);
  return (
    <>
      <span class={`badge ${tones[of.status]}`}>{of.status}</span>
      {of.status === 'rotating' && until && (
        <small>
          until <Time at={until} how={atMinute} />
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
  if (of.expires_at === null) return <span class="quiet">Never</span>;
  return (
    <span class={!isEnded(of) && expiresSoon(of) ? 'warn' : ''}>
      <Time at={of.expires_at} />
    </span>
  );
}
