import { useLoading } from '../loading.ts';
import { readSubscriptions } from './calls.ts';
import * as texts from './texts.ts';
import { isFailing } from './words.ts';

/** The mark beside the name of the tab while a receiver fails. */
export function FailingDot() {
  const { data = [] } = useLoading(readSubscriptions, 'webhooks');
  return data.some(isFailing) ? (
    <span class="dot">
      <span class="unseen">{texts.failingSome}</span>
    </span>
  ) : null;
}
