import type { WebhookSubscription } from '../../../../lib/contract/webhookSubscriptions.ts';
import { Notice } from '../parts/Notice.tsx';
import { Time } from '../parts/Time.tsx';
import { mayChange } from '../sessionState.ts';
import * as texts from './texts.ts';

/** What it means that a subscription is suspended, and how it ends. */
export const Suspended = ({ of: { next_probe_at } }: { of: WebhookSubscription }) => (
  <Notice tone="warn">
    <p>
      <strong>{texts.suspended}</strong> {texts.suspendedAbout}
      {next_probe_at && (
        <>
          {texts.suspendedNext}
          <Time at={next_probe_at} />
        </>
      )}
      {texts.suspendedEnd}
      {mayChange() && texts.suspendedResume}
    </p>
  </Notice>
);
