import type { ActivityEntry } from '../../../../lib/contract/console/activity.ts';
import { productName } from '../brand.ts';
import { Sentence } from '../parts/Sentence.tsx';
import { Cell, Table } from '../parts/Table.tsx';
import { Time } from '../parts/Time.tsx';
import { hrefOf } from '../route.ts';
import { isOpen } from '../sessionState.ts';
import { onDay } from '../shownTimes.ts';
import * as texts from './activityTexts.ts';

function What(entry: ActivityEntry) {
  const { author, action, person, key_id, key_name, subscription_id, subscription_name } = entry;
  const isOwn = person?.id === author.id && author.kind === 'user';
  return (
    <Sentence
      of={isOwn && action === 'session.ended' ? texts.signedOut : texts.sentences[action]}
      who={
        <>
          <strong>
            <bdi>{author.kind === 'product' ? productName(true) : author.name}</bdi>
          </strong>
          {author.kind === 'operator' && <span class="quiet"> ({texts.operator})</span>}
        </>
      }
      key_name={
        key_id && (
          <a href={hrefOf('keys', key_id)}>
            <bdi>{key_name ?? key_id}</bdi>
          </a>
        )
      }
      webhook={
        subscription_id && isOpen('webhooks') ? (
          <a href={hrefOf('webhooks', subscription_id)}>
            <bdi>{subscription_name}</bdi>
          </a>
        ) : (
          <bdi>{subscription_name}</bdi>
        )
      }
      person={<bdi>{person?.name}</bdi>}
    />
  );
}

type State = NonNullable<ActivityEntry['after']>;

const stateWords: Record<string, [label: string, words: (state: State) => string]> = {
  name: [texts.state.name, ({ name }) => name],
  access: [
    texts.state.access,
    ({ full_access, scopes }) => (full_access ? texts.fullAccess : scopes.join(', ')),
  ],
  expires_at: [
    texts.state.expires,
    ({ expires_at }) => (expires_at === null ? texts.never : onDay(expires_at)),
  ],
  hints: [texts.state.hints, ({ hints }) => hints.map((hint) => `…${hint}`).join(', ') || texts.noSecrets],
};

interface Difference {
  label: string;
  was?: string;
  is: string;
}

/** Returns what was changed in a subscription. What pauses or resumes it says so. */
const subscriptionDifferences = ({ action, changes }: ActivityEntry): Difference[] =>
  action === 'subscription.paused' || action === 'subscription.resumed'
    ? []
    : changes.map(({ field, before, after }) => ({
        label: field.replaceAll('_', ' '),
        // Of a URL only the host is recorded.
        ...(before === null || before === after ? {} : { was: before }),
        is: after ?? texts.noSecrets,
      }));

/** Returns the differences between the state before and after. The name of a new key is shown anyway. */
function keyDifferences({ before, after }: ActivityEntry): Difference[] {
  return Object.values(stateWords)
    .map(([label, words]) => ({
      label,
      ...(before ? { was: words(before) } : {}),
      is: after ? words(after) : texts.ended,
    }))
    .filter(
      ({ label, was, is }) =>
        was !== is && (before !== null || (after !== null && label !== texts.state.name)),
    );
}

/** The entries, newest first: who did what, when and from where. */
export const Entries = ({
  entries,
  isFiltered = false,
}: {
  entries: readonly ActivityEntry[];
  isFiltered?: boolean;
}) =>
  entries.length === 0 ? (
    <p class="empty">{isFiltered ? texts.noneFiltered : texts.none}</p>
  ) : (
    <Table class="cards" caption={texts.title} columns={texts.columns}>
      {entries.map((entry) => (
        <Entry key={entry.id} of={entry} />
      ))}
    </Table>
  );

function Entry({ of }: { of: ActivityEntry }) {
  const changes = [...keyDifferences(of), ...subscriptionDifferences(of)];
  return (
    <tr>
      <td>
        <What {...of} />
        {changes.length > 0 && (
          <ul class="changes">
            {changes.map(({ label, was, is }) => (
              <li key={label}>
                {label}:{' '}
                {was !== undefined && (
                  <>
                    <del>{was}</del> →{' '}
                  </>
                )}
                <ins>{is}</ins>
              </li>
            ))}
          </ul>
        )}
      </td>
      <Cell of={texts.columns[1]} class="bare">
        <Time at={of.at} />
      </Cell>
      <Cell of={texts.columns[2]} class={of.ip ? 'bare' : 'usual'}>
        {of.ip ?? <span class="quiet">{texts.outside}</span>}
        {of.user_agent && <small title={of.user_agent}>{browserOf(of.user_agent)}</small>}
      </Cell>
    </tr>
  );
}

/** The browser of a user agent, when it is one of the usual ones; all of it is in the title. */
const browserOf = (agent: string): string =>
  /(Firefox|Edg|OPR|Chrome|Version)\/\d+/
    .exec(agent)?.[0]
    .replace('Version', 'Safari')
    .replace('Edg', 'Edge')
    .replace('OPR', 'Opera')
    .replace('/', ' ') ?? agent.slice(0, 40);
