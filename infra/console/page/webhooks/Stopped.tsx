import type { WebhookSubscription } from '../../../../lib/contract/webhookSubscriptions.ts';
import { Notice } from '../parts/Notice.tsx';

/** What it means that the operator has stopped a subscription, and who ends it. */
export const Stopped = ({ of: { url, status_reason } }: { of: WebhookSubscription }) => (
  <Notice tone="warn">
    {status_reason === 'blocked' ? (
      <p>
        <strong>The operator of this API sends no webhooks to {new URL(url).hostname}.</strong> New events are
        held for 30 days. They are sent when the operator ends this, or when the subscription has a URL of
        another host.
      </p>
    ) : (
      <p>
        <strong>The operator of this API has paused this subscription.</strong> New events are held for 30
        days. Only the operator can resume it: ask them.
      </p>
    )}
  </Notice>
);
