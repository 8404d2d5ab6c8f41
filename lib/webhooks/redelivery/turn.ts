import { readItems } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import type { Action } from '../../dynamodb/transact.ts';
import { write } from '../../dynamodb/transact.ts';
import { enqueue } from '../jobs/queue.ts';
import { redeliveryTurnKey, runningRedeliveryKey } from '../model/keys.ts';
import { readSubscriptions } from '../model/readSubscriptions.ts';
import { messageFor, type Redelivery } from './redelivery.ts';

// The bulk redeliveries of an account go on one after the other: many subscriptions do not make them faster.

/** Longer than the time between two steps. A redelivery that has died, or waits for a slow receiver, blocks the others no longer. */
const turnMs = 60_000;

/** Takes the turn of an account, or keeps it; refused while another redelivery has it. */
export function takeTurn(account: string, { sk }: Redelivery): Action {
  const now = Date.now();
  return {
    Update: {
      TableName: webhooks.name,
      Key: redeliveryTurnKey(account),
      UpdateExpression: 'SET redelivery = :own, #until = :end',
      ConditionExpression: 'attribute_not_exists(redelivery) OR redelivery = :own OR #until < :now',
      ExpressionAttributeNames: { '#until': 'until' },
      ExpressionAttributeValues: {
        ':own': sk,
        ':end': new Date(now + turnMs).toISOString(),
        ':now': new Date(now).toISOString(),
      },
    },
  };
}

/** Ends the turn of a redelivery, if it has it, and lets the others go on then. The sweep does so for those whose message is lost. */
export async function passTurn(account: string, { sk }: Redelivery): Promise<void> {
  const end = webhooks.update(
    redeliveryTurnKey(account),
    { redelivery: undefined, until: undefined },
    { if: { redelivery: sk } },
  );
  if (!(await write(end)).committed) return;
  const running = await findRunning(account);
  await enqueue(running.filter((one) => one.sk !== sk).map((one) => messageFor(one)));
}

/** The bulk redeliveries of an account that run. */
async function findRunning(account: string): Promise<Redelivery[]> {
  const subscriptions = await readSubscriptions(account);
  const named = await readItems<{ pk: string; redelivery: string }>(
    webhooks,
    subscriptions.map(({ id }) => runningRedeliveryKey(account, id)),
  );
  const found = await readItems<Redelivery>(
    webhooks,
    named.map(({ pk, redelivery }) => ({ pk, sk: redelivery })),
  );
  return found.filter(({ state }) => state === 'running');
}
