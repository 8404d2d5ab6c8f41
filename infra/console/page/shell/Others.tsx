import { ActivityTab } from '../activity/ActivityTab.tsx';
import { FailuresTab } from '../failures/FailuresTab.tsx';
import { KeyDetails } from '../keys/KeyDetails.tsx';
import type { Route } from '../route.ts';
import { UsageTab } from '../usage/UsageTab.tsx';
import { SubscriptionDetails } from '../webhooks/SubscriptionDetails.tsx';
import { WebhooksTab } from '../webhooks/WebhooksTab.tsx';

/** The views but the first one. They are fetched after it, together. */
export function Others({ tab, id }: { tab: Route['tab']; id: string | undefined }) {
  if (tab === 'activity') return <ActivityTab />;
  if (tab === 'usage') return <UsageTab />;
  if (tab === 'failed-requests') return <FailuresTab />;
  if (tab === 'webhooks') return id === undefined ? <WebhooksTab /> : <SubscriptionDetails id={id} />;
  return <KeyDetails id={id as string} />;
}
