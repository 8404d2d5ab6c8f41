import { readKeysOf } from '../../../lib/keys/storedKeys.ts';
import { readCount } from '../../../lib/records/counter.ts';
import { resourceTypes } from '../../../lib/resources/index.ts';
import { readSubscriptions } from '../../../lib/webhooks/model/subscriptions.ts';

async function isEmpty(account: string): Promise<boolean> {
  const [keys, subscriptions, ...counts] = await Promise.all([
    readKeysOf(account),
    readSubscriptions(account),
    ...resourceTypes.map((type) => readCount({ account, type })),
  ]);
  return keys.length + subscriptions.length + Math.max(...counts) === 0;
}

/** Reports if nothing exists of an account, because its name may be mistyped. @returns whether that is so */
export async function noteNewAccount(account: string): Promise<boolean> {
  const isNew = await isEmpty(account);
  if (isNew)
    console.error(
      `The account ${account} has no key, no record and no webhook subscription yet. Check its name.`,
    );
  return isNew;
}
