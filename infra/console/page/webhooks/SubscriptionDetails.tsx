import { useState } from 'preact/hooks';
import type { ConsoleKey } from '../../../../lib/contract/console/keys.ts';
import type { WebhookSubscription } from '../../../../lib/contract/webhookSubscriptions.ts';
import { draft } from '../drafts.ts';
import { readKeys } from '../keys/calls.ts';
import { useLoading } from '../loading.ts';
import { Heading } from '../parts/Heading.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Time } from '../parts/Time.tsx';
import { toast } from '../parts/Toasts.tsx';
import { hrefOf } from '../route.ts';
import { useSending } from '../sending.ts';
import { mayChange } from '../sessionState.ts';
import { atMinute } from '../times.ts';
import { saveVersion } from '../versions.ts';
import { ByKey } from './ByKey.tsx';
import { readSubscription, update } from './calls.ts';
import { Deliveries } from './Deliveries.tsx';
import { DeleteSubscription, RotateSecret, WebhookSecret } from './otherDialogs.tsx';
import { Stopped } from './Stopped.tsx';
import { EditSubscription } from './SubscriptionForm.tsx';
import { EventTypes, Health, SubscriptionStatus } from './SubscriptionTable.tsx';
import { Suspended } from './Suspended.tsx';
import { TestCall } from './TestCall.tsx';
import { isStopped } from './words.ts';

export function SubscriptionDetails({ id }: { id: string }) {
  const loading = useLoading(() => readSubscription(id), id);
  return (
    <>
      <p class="back">
        <a href={hrefOf('webhooks')}>← Webhooks</a>
      </p>
      <Loaded loading={loading} what="webhook subscription">
        {(subscription) => <Details of={subscription} again={loading.again} />}
      </Loaded>
    </>
  );
}

type Opened = { kind: 'edit' | 'rotate' | 'delete' } | { kind: 'secret'; secret: string } | undefined;

/** The dialog of the draft, if it has one. */
function drafted({ id }: WebhookSubscription): Opened {
  const [, kind, of] = /^webhook-(edit|rotate|delete) (.*)$/.exec(draft()?.form ?? '') ?? [];
  return of === id && mayChange() ? { kind: kind as 'edit' | 'rotate' | 'delete' } : undefined;
}

function Details({ of, again }: { of: WebhookSubscription; again: () => void }) {
  const [opened, open] = useState<Opened>(() => drafted(of));
  return (
    <>
      <Heading title={new URL(of.url).host} about={<span class="break">{of.url}</span>}>
        {mayChange() && (
          <>
            <button type="button" onClick={() => open({ kind: 'edit' })}>
              Edit…
            </button>
            {!isStopped(of) && <PauseButton of={of} again={again} />}
            <button type="button" onClick={() => open({ kind: 'rotate' })}>
              Rotate secret…
            </button>
            <button type="button" class="bad" onClick={() => open({ kind: 'delete' })}>
              Delete…
            </button>
          </>
        )}
      </Heading>
      {of.status === 'suspended' && <Suspended of={of} />}
      {isStopped(of) && <Stopped of={of} />}
      <Facts of={of} />
      {mayChange() && !isStopped(of) && <TestCall id={of.id} />}
      <Deliveries id={of.id} />
      <Dialogs of={of} opened={opened} open={open} again={again} />
    </>
  );
}

interface DialogProps {
  of: WebhookSubscription;
  opened: Opened;
  open: (next: Opened) => void;
  again: () => void;
}

function Dialogs({ of, opened, open, again }: DialogProps) {
  if (!opened) return null;
  const close = (changed: boolean) => {
    open(undefined);
    if (changed) again();
  };
  const saved = () => {
    close(true);
    toast('The subscription is saved.');
  };
  const deleted = () => {
    location.hash = hrefOf('webhooks');
    toast('The subscription is deleted.');
  };
  if (opened.kind === 'secret') return <WebhookSecret secret={opened.secret} close={() => close(true)} />;
  if (opened.kind === 'edit') return <EditSubscription of={of} done={saved} close={close} />;
  if (opened.kind === 'delete') return <DeleteSubscription of={of} done={deleted} close={close} />;
  return <RotateSecret of={of} done={({ secret }) => open({ kind: 'secret', secret })} close={close} />;
}

/** Pauses an active subscription and resumes another. */
function PauseButton({ of, again }: { of: WebhookSubscription; again: () => void }) {
  const isActive = of.status === 'active';
  const patch = { status: isActive ? ('paused' as const) : ('active' as const) };
  const save = (version: number) =>
    saveVersion<WebhookSubscription>(patch, {
      write: () => update(of.id, patch, version),
      read: () => readSubscription(of.id),
      found: again,
    });
  const { progress, send } = useSending(`pause ${of.id}`, save, () => {
    toast(
      isActive
        ? 'Paused. What happens meanwhile is held.'
        : 'Resumed. What was held is sent while the receiver accepts it.',
    );
    again();
  });
  const isPending = progress.kind === 'pending';
  return (
    <>
      <button type="button" disabled={isPending} onClick={() => send(of.version)}>
        {isPending ? 'Waiting…' : isActive ? 'Pause' : 'Resume'}
      </button>
      <span role="status" class="problem">
        {progress.kind === 'refused' && progress.problem.message}
        {progress.kind === 'open' && 'No answer came. Try again.'}
      </span>
    </>
  );
}

function Facts({ of }: { of: WebhookSubscription }) {
  // Without the names, the ids are shown.
  const { data: keys = [] } = useLoading(readKeys, 'keys');
  return <FactsWith of={of} keys={keys} />;
}

const FactsWith = ({ of, keys }: { of: WebhookSubscription; keys: readonly ConsoleKey[] }) => (
  <dl class="facts">
    <div>
      <dt>Status</dt>
      <dd>
        <SubscriptionStatus of={of} />
      </dd>
    </div>
    <div>
      <dt>Health</dt>
      <dd>
        <Health of={of} />
      </dd>
    </div>
    <div>
      <dt>Events</dt>
      <dd>
        <EventTypes of={of} />
      </dd>
    </div>
    <div>
      <dt>Content</dt>
      <dd>{of.payload === 'full' ? 'The whole resource' : 'Only its id'}</dd>
    </div>
    <div>
      <dt>Secret</dt>
      <dd>
        <code>…{of.secret_hint}</code>
        {of.previous_secret_expires_at && (
          <small>
            the one before until <Time at={of.previous_secret_expires_at} how={atMinute} />
          </small>
        )}
      </dd>
    </div>
    {of.max_per_second !== null && (
      <div>
        <dt>Pace</dt>
        <dd>at most {of.max_per_second} a second</dd>
      </div>
    )}
    {of.exclude_own && (
      <div>
        <dt>Leaves out</dt>
        <dd>changes by the key that created it</dd>
      </div>
    )}
    {of.changed_fields && (
      <div>
        <dt>Updates</dt>
        <dd>only of {of.changed_fields.join(', ')}</dd>
      </div>
    )}
    <div>
      <dt>Created</dt>
      <dd>
        <Time at={of.created_at} how={atMinute} /> <ByKey id={of.created_by_key_id} keys={keys} />
        {of.version > 1 && (
          <small>
            changed last <ByKey id={of.updated_by_key_id} keys={keys} />
          </small>
        )}
      </dd>
    </div>
    {of.description && (
      <div>
        <dt>Description</dt>
        <dd>{of.description}</dd>
      </div>
    )}
  </dl>
);
