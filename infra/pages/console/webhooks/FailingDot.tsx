import { useLoading } from '../loading.ts';
import { readSubscriptions } from './webhookCalls.ts';
import * as texts from './webhookTexts.ts';
import { isFailing } from './webhookWords.ts';

/** The mark beside the name of the tab while a receiver fails. */
export function FailingDot() {
  const { data = [] } = useLoading(readSubscriptions, 'webhooks');
  return data.some(isFailing) ? (
    <span class="dot">
      <span class="unseen">{texts.failingSome}</span>
    </span>
  ) : null;
}
