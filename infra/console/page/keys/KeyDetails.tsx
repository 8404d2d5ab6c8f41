import type { KeyWithHistory } from '../../../../lib/contract/console/keys.ts';
import { Entries } from '../activity/Entries.tsx';
import { useLoading } from '../loading.ts';
import { counted } from '../numbers.ts';
import { Heading } from '../parts/Heading.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Notice } from '../parts/Notice.tsx';
import { LastUse, Time } from '../parts/Time.tsx';
import { hrefOf } from '../route.ts';
import { isOpen, mayChange } from '../sessionState.ts';
import { atMinute } from '../times.ts';
import { readKey } from './calls.ts';
import { KeyDialogs } from './KeyDialogs.tsx';
import { Access, choicesFor, Expiry, Status } from './KeyTable.tsx';
import { useDialog } from './opened.ts';
import { SecretTable } from './SecretTable.tsx';
import { hintsOf, isEnded } from './words.ts';

export function KeyDetails({ id }: { id: string }) {
  const loading = useLoading(() => readKey(id), id);
  return (
    <>
      <p class="back">
        <a href={hrefOf('keys')}>← API keys</a>
      </p>
      <Loaded loading={loading} what="key">
        {(key) => <Details of={key} again={loading.again} />}
      </Loaded>
    </>
  );
}

function Details({ of, again }: { of: KeyWithHistory; again: () => void }) {
  const [opened, open] = useDialog([of]);
  const hints = hintsOf(of);
  return (
    <>
      <Heading title={of.name} about={<code>{of.display}</code>}>
        {mayChange() &&
          !isEnded(of) &&
          choicesFor(of, open).map(({ name, choose, danger }) => (
            <button key={name} type="button" class={danger ? 'bad' : ''} onClick={choose}>
              {name}
            </button>
          ))}
      </Heading>
      {of.changes_recorded !== of.version && (
        <Notice tone="bad">
          <strong>Not every change of this key is recorded:</strong> it was changed {of.version} times, and{' '}
          {of.changes_recorded} are recorded. Somebody may have changed it past this system. Ask the operator
          of the API, or revoke it.
        </Notice>
      )}
      {hints.length > 0 && <Notice tone="warn">{hints.join(' · ')}</Notice>}
      <Facts of={of} />
      <h2>Secrets</h2>
      <SecretTable secrets={of.secrets} />
      <h2>
        History{' '}
        <a class="aside" href={hrefOf('activity', of.id)}>
          in Activity
        </a>
      </h2>
      <Entries entries={of.history} />
      <KeyDialogs opened={opened} open={open} again={again} />
    </>
  );
}

const Facts = ({ of }: { of: KeyWithHistory }) => (
  <dl class="facts">
    <div>
      <dt>Status</dt>
      <dd>
        <Status of={of} />
      </dd>
    </div>
    <div>
      <dt>Access</dt>
      <dd>
        <Access of={of} />
      </dd>
    </div>
    <div>
      <dt>Last used</dt>
      <dd>
        <LastUse at={of.last_used_at} />
      </dd>
    </div>
    <div>
      <dt>Requests 24 h</dt>
      <dd>
        {counted(of.requests_24h)}
        {isOpen('usage') && (
          <small>
            <a href={hrefOf('usage', of.id)}>Usage</a> · <a href={hrefOf('failed-requests', of.id)}>Failed</a>
          </small>
        )}
      </dd>
    </div>
    <div>
      <dt>Expires</dt>
      <dd>
        <Expiry of={of} />
      </dd>
    </div>
    <div>
      <dt>Created</dt>
      <dd>
        <Time at={of.created_at} how={atMinute} />
        {of.created_by && ` by ${of.created_by.name}`}
      </dd>
    </div>
    <div>
      <dt>Id</dt>
      <dd>
        <code>{of.id}</code>
      </dd>
    </div>
  </dl>
);
