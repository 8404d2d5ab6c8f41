import { record } from '../activity/entry.ts';
import { parseInput } from '../aws/invocation.ts';
import { roles } from '../contract/console/operation.ts';
import { actor } from '../contract/console/session.ts';
import { transact } from '../dynamodb/transact.ts';
import { env, required } from '../env.ts';
import { account, oneOf, webAddress } from '../values/fields.ts';
import { object } from '../values/structure.ts';
import { text } from '../values/texts.ts';
import { authorFor, type Caller, hashOf, type Link, newSecretText, putWithPointer } from './sessions.ts';

/** How long a link can be used. */
const linkMs = 60_000;

const linkRequest = () =>
  object({
    account: account(),
    /** The name of the account for people. */
    account_name: text(100).optional(),
    actor: actor(),
    role: oneOf(...roles),
    /** Where "Back to the product" leads. */
    return_url: webAddress().optional(),
  });

/** A link to the console, and when it can no longer be used. */
export interface CreatedLink {
  url: string;
  /** RFC 3339 UTC. */
  expires_at: string;
}

/** The part of a link's hash that names it in the Activity table. */
const linkIdOf = (hash: string): string => `link_${hash.slice(0, 16)}`;

/**
 * Makes a link that starts one session of a person, within a minute. Its code is in the fragment of the URL, which browsers do not send.
 * @param input `{account, account_name?, actor: {id, name}, role, return_url?}`
 * @throws InputError
 */
export async function createLink(input: unknown, caller: Caller = {}): Promise<CreatedLink> {
  const request = parseInput(linkRequest(), input);
  const { account, account_name = null, actor, role, return_url = null } = request;
  const now = Date.now();
  const link: Link = { account, account_name, actor, role, return_url, expires_at: now + linkMs };
  const code = newSecretText();
  const hash = hashOf(code);
  const event = {
    action: 'link.created',
    at: new Date(now),
    subject: linkIdOf(hash),
    number: 1,
    person: actor,
  } as const;
  const { committed } = await transact([
    ...putWithPointer(hash, 'code', link),
    record(account, event, authorFor(caller, actor)),
  ]);
  if (!committed) throw new Error('A link was not stored, because others write the same items');
  return {
    url: `${required(env.consoleUrl)}#code=${code}`,
    expires_at: new Date(link.expires_at).toISOString(),
  };
}
