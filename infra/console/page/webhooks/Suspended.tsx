import type { WebhookSubscription } from '../../../../lib/contract/webhookSubscriptions.ts';
import { Notice } from '../parts/Notice.tsx';
import { Time } from '../parts/Time.tsx';
import { mayChange } from '../sessionState.ts';

/** What it means that a subscription is suspended, and how it ends. */
export const Suspended = ({ of: { next_probe_at } }: { of: WebhookSubscription }) => (
  <Notice tone="warn">
    <p>
      <strong>No delivery has reached this receiver for five days.</strong> New events are held, and the
      oldest is tried from time to time
      {next_probe_at && (
        <>
          , next <Time at={next_probe_at} />
        </>
      )}
      . As soon as the receiver takes it, the others follow by themselves.
      {mayChange() && ' If the receiver works again, “Resume” sends them at once.'}
    </p>
  </Notice>
);
