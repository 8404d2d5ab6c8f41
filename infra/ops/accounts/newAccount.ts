import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { type StatedResource, statements } from '../../../lib/contract/inbox.ts';
import { collectionOf } from '../../../lib/inbox/resources.ts';
import { listKeys } from '../../../lib/keys/store.ts';
import { readHead } from '../../../lib/records/head.ts';
import { readSubscriptions } from '../../../lib/webhooks/model/readSubscriptions.ts';
import { OpsError } from '../../terminal/opsError.ts';

/** How much there is of an account. */
interface AccountContents {
  keys: number;
  subscriptions: number;
  records: number;
}

export async function contentsOf(account: string): Promise<AccountContents> {
  const resources = Object.keys(statements) as StatedResource[];
  const [keys, subscriptions, ...counts] = await Promise.all([
    listKeys(account),
    readSubscriptions(account),
    ...resources.map((resource) => readHead({ account, type: collectionOf(resource).type })),
  ]);
  return {
    keys: keys.length,
    subscriptions: subscriptions.length,
    records: counts.reduce((sum, { count, deleted = 0 }) => sum + count - deleted, 0),
  };
}

/** Whether nothing exists of an account: its name may be mistyped. */
export const isNew = ({ keys, subscriptions, records }: AccountContents): boolean =>
  keys + subscriptions + records === 0;

export const newAccountFlag = '--new-account';

export const newAccountNote = 'the account is meant to be new: do not ask, and do not say so';

/**
 * Says that nothing exists of an account, whose name may be mistyped. A person at a terminal is asked whether to go on.
 * @throws OpsError when the person says no
 */
export async function noteNewAccount(account: string, { newAccount = false }): Promise<void> {
  if (newAccount || !isNew(await contentsOf(account))) return;
  const sentence = `The account ${account} is new: it has no key, no record and no webhook subscription.`;
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    return console.error(`${sentence} Check its name; ${newAccountFlag} says that it is meant.`);
  const asked = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  // The end of the input, as by Ctrl-D, is no answer.
  const ended = once(asked, 'close').then(() => '');
  const answer = await Promise.race([asked.question(`${sentence} Go on? [y/N] `), ended]);
  asked.close();
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new OpsError('Nothing was done.');
}
