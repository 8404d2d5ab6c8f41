import type { ActivityEntry } from '../../../../lib/contract/console/activity.ts';
import { Choice, orAny } from '../parts/Choice.tsx';
import { Heading } from '../parts/Heading.tsx';
import { KeyChoice } from '../parts/KeyChoice.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { OlderButton } from '../parts/OlderButton.tsx';
import { usePages } from '../parts/usePages.ts';
import { liveSession, sessionState } from '../sessionState.ts';
import { useChosen } from '../useChosen.ts';
import { type ActivityFilter, anyActivity, readActivity } from './activityCalls.ts';
import * as texts from './activityTexts.ts';
import { Entries } from './Entries.tsx';

/** The people and the subscriptions that were seen, by their ids, so that one of them can be chosen. */
const seen = { people: new Map<string, string>(), subscriptions: new Map<string, string>() };

// The next session may be of another account.
sessionState.follow(({ kind }) => {
  if (kind === 'live') return;
  seen.people.clear();
  seen.subscriptions.clear();
});

function see(entries: readonly ActivityEntry[]): void {
  for (const { author, subscription_id, subscription_name } of entries) {
    if (author.kind === 'user') seen.people.set(author.id, author.name);
    if (subscription_id && subscription_name && !seen.subscriptions.has(subscription_id))
      seen.subscriptions.set(subscription_id, subscription_name);
  }
}

export function ActivityTab() {
  const [filter, choose] = useChosen<ActivityFilter>(anyActivity);
  const { key, person, subscription } = filter;
  const loading = usePages<Awaited<ReturnType<typeof readActivity>>>(
    (known) => readActivity(filter, known?.next),
    `activity ${JSON.stringify(filter)}`,
  );
  const { actor } = liveSession();
  seen.people.set(actor.id, actor.name);
  see(loading.data?.data ?? []);
  return (
    <>
      <Heading title={texts.title} about={texts.about} />
      <div class="filters">
        <Choice
          label={texts.filtersPerson}
          options={orAny(texts.filtersAnybody, [...seen.people], person)}
          chosen={person}
          choose={(chosen) => choose({ person: chosen })}
        />
        <KeyChoice chosen={key} choose={(chosen) => choose({ key: chosen, subscription: '' })} />
        <Choice
          label={texts.filtersSubscription}
          options={orAny(texts.filtersAnySubscription, [...seen.subscriptions], subscription)}
          chosen={subscription}
          choose={(chosen) => choose({ subscription: chosen, key: '' })}
        />
      </div>
      <Loaded loading={loading} what={texts.reading}>
        {({ data, next }) => (
          <>
            <Entries entries={data} isFiltered={key + person + subscription !== ''} />
            {next !== undefined && <OlderButton read={loading.older} />}
          </>
        )}
      </Loaded>
    </>
  );
}
