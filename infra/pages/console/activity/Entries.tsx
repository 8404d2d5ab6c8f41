import type { ActivityEntry } from '../../../../lib/contract/console/activity.ts';
import { Head } from '../parts/Head.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { Time } from '../parts/Time.tsx';
import { hrefOf } from '../route.ts';
import { isOpen } from '../sessionState.ts';
import { productName } from '../shell/brand.ts';
import { atMinute, onDay } from '../times.ts';
import * as texts from './texts.ts';

function What(entry: ActivityEntry) {
  const { author, action, person, key_id, key_name, subscription_id, subscription_host } = entry;
  const isOwn = person?.id === author.id && author.kind === 'user';
  return (
    <Sentence
      of={isOwn && action === 'session.ended' ? texts.signedOut : texts.sentences[action]}
      who={
        <>
          <strong>
            <bdi>{author.kind === 'product' ? productName(true) : author.name}</bdi>
          </strong>
          {author.kind === 'operator' && <span class="badge">{texts.operator}</span>}
        </>
      }
      key_name={
        key_id && (
          <a href={hrefOf('keys', key_id)}>
            <bdi>{key_name ?? key_id}</bdi>
          </a>
        )
      }
      host={
        subscription_id && isOpen('webhooks') ? (
          <a href={hrefOf('webhooks', subscription_id)}>{subscription_host}</a>
        ) : (
          subscription_host
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

/** Returns the differences between the state before and after. The name of a new key is shown anyway. */
function differences({ before, after }: ActivityEntry): { label: string; was?: string; is: string }[] {
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
export const Entries = ({ entries }: { entries: readonly ActivityEntry[] }) =>
  entries.length === 0 ? (
    <p class="empty">{texts.none}</p>
  ) : (
    <table class="cards">
      <caption class="unseen">{texts.title}</caption>
      <Head of={texts.columns} />
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
        <What {...of} />
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
      <td data-label={texts.columns[1]}>
        <Time at={of.at} />
        <small>
          <Time at={of.at} how={atMinute} />
        </small>
      </td>
      <td data-label={texts.columns[2]}>
        {of.ip ?? <span class="quiet">{texts.outside}</span>}
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
