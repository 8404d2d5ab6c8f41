import operationNames from 'console:operations';
import { useState } from 'preact/hooks';
import type { ConsoleKey, KeyWithHistory } from '../../../../lib/contract/console/consoleKeys.ts';
import { useLoading } from '../loading.ts';
import { counted } from '../locale.ts';
import { Box } from '../parts/Box.tsx';
import { useConfirmed } from '../parts/dialog/ConfirmField.tsx';
import { FormDialog, type FormOf } from '../parts/dialog/FormDialog.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { LastUse } from '../parts/Time.tsx';
import { useSending } from '../sending.ts';
import { type Chosen, useUsage } from '../usage/usageCalls.ts';
import { pause } from '../webhooks/webhookCalls.ts';
import { readKey, revoke } from './keyCalls.ts';
import * as texts from './keyTexts.ts';

/** First the key, which could resume what is paused. */
async function revokeAndPause(id: string, subscriptions: readonly string[]): Promise<ConsoleKey> {
  const key = await revoke(id);
  for (const one of subscriptions) await pause(one);
  return key;
}

/** A key that was used in the last 24 hours is named by hand: programs stop when it ends. */
export function RevokeKey({ of, done, close }: FormOf<ConsoleKey, ConsoleKey>) {
  const confirmed = useConfirmed(of.name);
  const [pauses, setPauses] = useState(false);
  const loading = useLoading(() => readKey(of.id), `key ${of.id}`);
  // The list may be minutes old.
  const { last_used_at, requests_24h } = loading.data ?? of;
  const isUsed = requests_24h > 0;
  const request = ({ pause: ids }: { pause: string[] }) => revokeAndPause(of.id, ids);
  const { progress, send } = useSending(`revoke ${of.id}`, request, done);
  // The receiver of a suspended one is tried from time to time.
  const sentTo = ['active', 'suspended'];
  const active = loading.data?.subscriptions.filter(({ status }) => sentTo.includes(status)) ?? [];
  return (
    <FormDialog
      title={<Sentence of={texts.revokeTitle} name={<bdi>{of.name}</bdi>} />}
      progress={progress}
      action={texts.revokeAction}
      waiting={texts.revokeWaiting}
      danger
      submit={() =>
        isUsed && !confirmed.isRight && progress.kind !== 'open'
          ? confirmed.complain()
          : send({ pause: pauses ? active.map(({ id }) => id) : [] })
      }
      close={close}
    >
      <p>
        <Sentence
          of={of.secrets.length > 1 ? texts.revokeAllRefused : texts.revokeRefused}
          name={<code>{of.display}</code>}
        />
      </p>
      <p>
        <Sentence
          of={texts.revokeLastUsed}
          time={
            <strong>
              <LastUse at={last_used_at} />
            </strong>
          }
          requests={texts.revokeRequests(requests_24h)}
        />
      </p>
      {isUsed && <LatelyDone id={of.id} />}
      <div aria-live="polite">
        {loading.isReading && <p>{texts.revokeLooking}</p>}
        {loading.problem && <p>{texts.revokeUnknown(loading.problem.message)}</p>}
        {loading.data && <LeftBehind of={loading.data} />}
      </div>
      {active.length > 0 && (
        <Box checked={pauses} change={setPauses}>
          {texts.revokePause(active.length)}
        </Box>
      )}
      {isUsed && confirmed.field}
    </FormDialog>
  );
}

/** The requests of a key in the last 24 hours: these stop. */
function LatelyDone({ id }: { id: string }) {
  const chosen: Chosen = { range: '24h', by: 'operation', key: id, operation: '' };
  const loading = useUsage(chosen);
  return (
    <Loaded loading={loading} what={texts.revokeReadingDone}>
      {(usage) => (
        <ul>
          {usage?.groups
            .filter(({ total }) => total > 0)
            .map(({ operation, total }) => (
              <li key={operation}>
                <code class="break">{operationNames[operation ?? ''] ?? operation}</code> {counted(total)}
              </li>
            ))}
        </ul>
      )}
    </Loaded>
  );
}

/** The subscriptions that the key leaves. */
const LeftBehind = ({ of: { subscriptions } }: { of: KeyWithHistory }) =>
  subscriptions.length === 0 ? (
    <p>{texts.revokeLeavesNone}</p>
  ) : (
    <>
      <p>{texts.revokeLeaves(subscriptions.length)}</p>
      <ul>
        {subscriptions.map(({ id, host, status }) => (
          <li key={id}>
            <span class="break">{host}</span> <span class="badge">{status}</span>
          </li>
        ))}
      </ul>
    </>
  );
