import type { WebhookSubscription } from '../../../../lib/contract/webhookSubscriptions.ts';
import { Notice } from '../parts/Notice.tsx';
import * as texts from './texts.ts';

/** What it means that the operator has stopped a subscription, and who ends it. */
export const Stopped = ({ of: { url, status_reason } }: { of: WebhookSubscription }) => (
  <Notice tone="warn">
    {status_reason === 'blocked' ? (
      <p>
        <strong>{texts.blocked(new URL(url).hostname)}</strong> {texts.blockedAbout}
      </p>
    ) : (
      <p>
        <strong>{texts.stopped}</strong> {texts.stoppedAbout}
      </p>
    )}
  </Notice>
);
