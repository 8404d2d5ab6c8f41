import { ActivityTab } from '../activity/ActivityTab.tsx';
import { FailuresTab } from '../failures/FailuresTab.tsx';
import { KeyDetails } from '../keys/KeyDetails.tsx';
import { Heading } from '../parts/Heading.tsx';
import { hrefOf, type Route } from '../route.ts';
import { UsageTab } from '../usage/UsageTab.tsx';
import { SubscriptionDetails } from '../webhooks/SubscriptionDetails.tsx';
import { WebhooksTab } from '../webhooks/WebhooksTab.tsx';
import * as texts from './otherTexts.ts';

/** The views but the first one, and what an address of none shows. They are fetched after it, together. */
export function Others({ tab, id }: { tab: Route['tab'] | undefined; id: string | undefined }) {
  if (tab === undefined) return <Unknown />;
  if (tab === 'activity') return <ActivityTab />;
  if (tab === 'usage') return <UsageTab />;
  if (tab === 'failed-requests') return <FailuresTab />;
  if (tab === 'webhooks') return id === undefined ? <WebhooksTab /> : <SubscriptionDetails id={id} />;
  return <KeyDetails id={id as string} />;
}

const Unknown = () => (
  <>
    <Heading title={texts.unknown} />
    <p>{texts.unknownAbout}</p>
    <p>
      <a href={hrefOf('keys')}>{texts.toKeys}</a>
    </p>
  </>
);
