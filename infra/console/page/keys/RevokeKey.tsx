import { useState } from 'preact/hooks';
import type { ConsoleKey, KeyWithHistory } from '../../../../lib/contract/console/keys.ts';
import { useLoading } from '../loading.ts';
import { counted } from '../numbers.ts';
import { FormDialog } from '../parts/FormDialog.tsx';
import { LastUse } from '../parts/Time.tsx';
import { useSending } from '../sending.ts';
import { pause } from '../webhooks/calls.ts';
import { readKey, revoke } from './calls.ts';

interface Props {
  of: ConsoleKey;
  done: (key: ConsoleKey) => void;
  close: (changed: boolean) => void;
}

/** First the key, which could resume what is paused. */
async function revokeAndPause(id: string, subscriptions: readonly string[]): Promise<ConsoleKey> {
  const key = await revoke(id);
  for (const one of subscriptions) await pause(one);
  return key;
}

export function RevokeKey({ of, done, close }: Props) {
  const [pauses, setPauses] = useState(false);
  const loading = useLoading(() => readKey(of.id), of.id);
  const request = ({ pause: ids }: { pause: string[] }) => revokeAndPause(of.id, ids);
  const { progress, send } = useSending(`revoke ${of.id}`, request, done);
  // Of a suspended one the receiver is tried from time to time.
  const sentTo = ['active', 'suspended'];
  const active = loading.data?.subscriptions.filter(({ status }) => sentTo.includes(status)) ?? [];
  return (
    <FormDialog
      title={`Revoke “${of.name}”?`}
      progress={progress}
      action="Revoke key"
      waiting="Revoking…"
      open="No answer came, so the key may have been revoked or not. “Try again” makes sure of it."
      danger
      submit={() => send({ pause: pauses ? active.map(({ id }) => id) : [] })}
      close={close}
    >
      <p>
        Requests with <code>{of.display}</code>
        {of.secrets.length > 1 && ' and with its older secrets'} are refused within seconds. This cannot be
        undone.
      </p>
      <p>
        Last used:{' '}
        <strong>
          <LastUse at={of.last_used_at} />
        </strong>
        , {of.requests_24h === 1 ? '1 request' : `${counted(of.requests_24h)} requests`} in the last 24 hours
      </p>
      <div aria-live="polite">
        {loading.isReading && <p>Looking for its webhook subscriptions…</p>}
        {loading.problem && <p>Its webhook subscriptions cannot be read: {loading.problem.message}</p>}
        {loading.data && <LeftBehind of={loading.data} />}
      </div>
      {active.length > 0 && (
        <label class="choice">
          <input type="checkbox" checked={pauses} onChange={() => setPauses(!pauses)} />
          Pause{' '}
          {active.length === 1 ? 'the one that is sent events' : `the ${active.length} that are sent events`}
        </label>
      )}
    </FormDialog>
  );
}

/** The subscriptions that the key leaves. */
const LeftBehind = ({ of: { subscriptions } }: { of: KeyWithHistory }) =>
  subscriptions.length === 0 ? (
    <p>It has made and changed no webhook subscription.</p>
  ) : (
    <>
      <p>
        It has made or changed{' '}
        {subscriptions.length === 1 ? 'a webhook subscription' : 'webhook subscriptions'}, which stay. If the
        key has leaked, somebody else may get your events there:
      </p>
      <ul>
        {subscriptions.map(({ id, host, status }) => (
          <li key={id}>
            <span class="break">{host}</span> <span class="badge">{status}</span>
          </li>
        ))}
      </ul>
    </>
  );
