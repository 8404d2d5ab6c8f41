import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { OpsError } from '../../terminal/opsError.ts';
import { contentsOf, isNew } from './accountContents.ts';

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
