import { ActivityTab } from '../activity/ActivityTab.tsx';
import { FailuresTab } from '../failures/FailuresTab.tsx';
import { KeyDetails } from '../keys/KeyDetails.tsx';
import type { Route } from '../route.ts';
import { UsageTab } from '../usage/UsageTab.tsx';
import { SubscriptionDetails } from '../webhooks/SubscriptionDetails.tsx';
import { WebhooksTab } from '../webhooks/WebhooksTab.tsx';

/** The views but the first one. They are fetched after it, together. */
export function Others({ tab, id }: Route) {
  if (tab === 'activity') return <ActivityTab keyId={id} />;
  if (tab === 'usage') return <UsageTab keyId={id} />;
  if (tab === 'failed-requests') return <FailuresTab keyId={id} />;
  if (tab === 'webhooks') return id === undefined ? <WebhooksTab /> : <SubscriptionDetails id={id} />;
  return <KeyDetails id={id as string} />;
}
