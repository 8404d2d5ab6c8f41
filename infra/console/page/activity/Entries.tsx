import type { ActivityAction, ActivityEntry } from '../../../../lib/contract/console/activity.ts';
import { Head } from '../parts/Head.tsx';
import { Time } from '../parts/Time.tsx';
import { hrefOf } from '../route.ts';
import { isOpen } from '../sessionState.ts';
import { atMinute, onDay } from '../times.ts';

const actionWords: Record<ActivityAction, string> = {
  'key.created': 'created',
  'key.renamed': 'renamed',
  'key.access_changed': 'changed the access of',
  'key.expiry_changed': 'changed the expiry of',
  'key.changed': 'changed',
  'key.rotated': 'rotated',
  'key.revoked': 'revoked',
  'key.expires_soon': 'will soon end',
  'subscription.created': 'created the webhook subscription to',
  'subscription.changed': 'changed the webhook subscription to',
  'subscription.rotated': 'rotated the secret of the webhook subscription to',
  'subscription.deleted': 'deleted the webhook subscription to',
  'link.created': 'made a link to this page for',
  'session.started': 'signed in',
  'session.ended': 'ended the session of',
};

/** Who did what, to what. What a person does in a session of their own needs no second name. */
function Sentence(entry: ActivityEntry) {
  const { author, action, person, key_id, key_name, subscription_id, subscription_host } = entry;
  const isOwn = person?.id === author.id && author.kind === 'user';
  return (
    <>
      <strong>
        <bdi>{author.kind === 'product' ? 'The product' : author.name}</bdi>
      </strong>{' '}
      {author.kind === 'operator' && <span class="badge">operator</span>}{' '}
      {isOwn && action === 'session.ended' ? 'signed out' : actionWords[action]}{' '}
      {key_id && (
        <a href={hrefOf('keys', key_id)}>
          <bdi>{key_name ?? key_id}</bdi>
        </a>
      )}
      {subscription_id && isOpen('webhooks') && action !== 'subscription.deleted' ? (
        <a href={hrefOf('webhooks', subscription_id)}>{subscription_host}</a>
      ) : (
        subscription_host
      )}
      {!isOwn && <bdi>{person?.name}</bdi>}
    </>
  );
}

type State = NonNullable<ActivityEntry['after']>;

const stateWords: Record<string, [label: string, words: (state: State) => string]> = {
  name: ['Name', ({ name }) => name],
  access: ['Access', ({ full_access, scopes }) => (full_access ? 'Full access' : scopes.join(', '))],
  expires_at: ['Expires', ({ expires_at }) => (expires_at === null ? 'never' : onDay(expires_at))],
  hints: ['Secrets', ({ hints }) => hints.map((hint) => `…${hint}`).join(', ') || 'none'],
};

/** What differs between the state before and after, in words. Of a new key it is all but the name, which is shown anyway. */
function differences({ before, after }: ActivityEntry): { label: string; was?: string; is: string }[] {
  return Object.values(stateWords)
    .map(([label, words]) => ({
      label,
      ...(before ? { was: words(before) } : {}),
      is: after ? words(after) : 'ended',
    }))
    .filter(({ label, was, is }) => was !== is && (before !== null || (after !== null && label !== 'Name')));
}

/** Who did what, when and from where; newest first. */
export const Entries = ({ entries }: { entries: readonly ActivityEntry[] }) =>
  entries.length === 0 ? (
    <p class="empty">
      Nothing is recorded yet. Every change of a key, every change of a webhook subscription here, and every
      sign-in will be listed.
    </p>
  ) : (
    <table class="cards">
      <caption class="unseen">Activity</caption>
      <Head of={['What', 'When', 'From']} />
      <tbody>
        {entries.map((entry) => (
          <Entry key={entry.id} of={entry} />
        ))}
      </tbody>
    </table>
  );

function Entry({ of }: { of: ActivityEntry }) {
  const changes = differences(of);
  return (
    <tr>
      <td>
        <Sentence {...of} />
        {of.report && (
          <small>
            {of.report.by} found it
            {of.report.url && (
              <>
                {' '}
                at <bdi>{of.report.url}</bdi>
              </>
            )}
          </small>
        )}
        {of.changed_fields.length > 0 && <small>{of.changed_fields.join(', ').replaceAll('_', ' ')}</small>}
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
      <td data-label="When">
        <Time at={of.at} />
        <small>
          <Time at={of.at} how={atMinute} />
        </small>
      </td>
      <td data-label="From">
        {of.ip ?? <span class="quiet">outside this page</span>}
        {of.user_agent && <small title={of.user_agent}>{browserOf(of.user_agent)}</small>}
      </td>
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
