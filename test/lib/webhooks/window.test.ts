import { expect, test } from 'vitest';
import { GatheredReads } from '../../../lib/dynamodb/gatheredReads.ts';
import { webhooks } from '../../../lib/dynamodb/tables.ts';
import { writePut } from '../../../lib/dynamodb/transact.ts';
import { redeliveryKey, subscriptionKey } from '../../../lib/webhooks/model/webhookKeys.ts';
import { continueRedelivery, findRedelivery } from '../../../lib/webhooks/redelivery/bulkRedelivery.ts';
import { givenAccount } from '../../support/data/given.ts';
import { onWire } from '../../support/faults/wire.ts';

test('a redelivery that passes over what an earlier host has got does not read it afterwards', async () => {
  const account = givenAccount();
  const [subscription_id, id] = [`whs_${'0'.repeat(24)}`, `rdl_${'0'.repeat(24)}`];
  const left_out = { pending: 0, other_status: 0, other_type: 0, earlier_host: 0 };
  const running = {
    state: 'running',
    redelivered: 0,
    skipped: 0,
    next_position: 0,
    end_position: 30_000,
    runs: 0,
    updated_at: '',
    left_out,
  };
  await writePut(webhooks.put({ ...redeliveryKey(account, subscription_id, id), ...running }));
  const moved = {
    id: subscription_id,
    status: 'active',
    host_position: 25_000,
    receiver: {},
    logged: { count: 30_000, days: { '9999-01-01': 0 } },
  };
  await writePut(webhooks.put({ ...subscriptionKey(account, subscription_id), ...moved }));
  let queries = 0;
  const undo = onWire(({ name }, send) => {
    if (name === 'Query') queries += 1;
    return send();
  });
  const message = { kind: 'recovery', account, subscription_id } as const;
  for (let step = 0; step < 2; step++)
    await continueRedelivery(message, id, new GatheredReads(webhooks.name));
  undo();
  expect(await findRedelivery(account, subscription_id, id)).toMatchObject({ next_position: 27_000 });
  // Ten blocks in each step, and those of the window before the second one.
  expect(queries).toBe(30);
});
