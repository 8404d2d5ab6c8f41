import { beforeAll, expect, test } from 'vitest';
import {
  createWebhookSubscription,
  deleteWebhookSubscription,
  rotateWebhookSecret,
  updateWebhookSubscription,
} from '../lib/contract/webhookSubscriptions.ts';
import { listOrders } from '../lib/resources/orders.ts';
import { readSubscriptions } from '../lib/webhooks/model/subscriptions.ts';
import { aReceiver, givenAccount, givenKey, givenSubscription } from './support/data/given.ts';
import { runbook } from './support/documents/documents.ts';
import { blocksIn } from './support/documents/prose.ts';
import { call } from './support/http/api.ts';
import { type Ran, run } from './support/stack/commands.ts';

// Runs the commands of the page "A key has leaked", in order, and nothing else.

const page = /^## A key has leaked\n([\s\S]*?)^## /m.exec(runbook)?.[1] as string;
const commands = blocksIn(page, 'sh')
  .join('')
  .split('\n')
  .filter((line) => line.startsWith('ops '));

const account = givenAccount();
/** The receiver of the attacker, which is used in another account, too. Nothing is sent to it, and no other test subscribes it. */
const host = '8.8.4.3';
const another = givenAccount();

let stolen: Awaited<ReturnType<typeof givenKey>>;
let good: Awaited<ReturnType<typeof givenKey>>;
const ids = { good: '', made: '', changed: '', elsewhere: '' };
const ran = new Map<string, Ran>();

const statuses = async (of = account) =>
  Object.fromEntries((await readSubscriptions(of)).map(({ id, status }) => [id, status]));

/** Carries out the commands that begin so, which have not been carried out before. */
async function carryOut(beginning: string): Promise<Ran> {
  const command = commands.find((line) => line.startsWith(`ops ${beginning}`) && !ran.has(line));
  const words = (command as string)
    .replace(/^ops /, '')
    .replace('acme', account)
    .replace('key_…', stolen.key.id)
    .replace('hooks.example.com', host)
    .match(/'[^']*'|\S+/g) as string[];
  const [script, ...args] = words.map((word) => word.replaceAll("'", '')) as [
    Parameters<typeof run>[0],
    ...string[],
  ];
  const result = await run(script, args);
  ran.set(command as string, result);
  expect(result, command).toMatchObject({ code: 0 });
  return result;
}

const open = async () => (await call(listOrders, { key: good.text })).status;

beforeAll(async () => {
  [stolen, good] = await Promise.all([givenKey(account), givenKey(account)]);
  const create = async (key: string, url: string) =>
    (await call(createWebhookSubscription, { key, body: { url, event_types: ['*'] } })).body.id;
  ids.good = await create(good.text, aReceiver());
  ids.changed = await create(good.text, aReceiver());
  ids.made = await create(stolen.text, `https://${host}/`);
  const params = { subscriptionId: ids.changed };
  await call(updateWebhookSubscription, { key: stolen.text, params, body: { event_types: ['order.*'] } });
  ids.elsewhere = (await givenSubscription(another, { url: `https://${host}:8443/` })).id;
});

test('the account is closed, the key is cut out, and what is in order goes on', async () => {
  await carryOut('webhooks pause');
  await carryOut('accounts suspend');
  expect(await open()).toBe(403);

  const { stdout: keys } = await carryOut('keys list');
  expect(keys).toContain(`…${stolen.text.slice(-4)}`);
  expect((await carryOut('keys revoke')).stdout).toContain(stolen.key.id);
  await carryOut('accounts resume');
  const [key = ''] = (await carryOut('keys create')).stdout.split('\n');
  expect((await call(listOrders, { key: stolen.text })).status).toBe(401);
  expect((await call(listOrders, { key })).status).toBe(403);
  const { stdout: listing } = await carryOut('webhooks list --account');
  for (const id of [ids.good, ids.made, ids.changed, stolen.key.id]) expect(listing).toContain(id);
  // The webhooks stay paused while the owner deletes what the key has made, and looks at what it has changed.
  expect(await statuses()).toEqual({ [ids.good]: 'paused', [ids.made]: 'paused', [ids.changed]: 'paused' });
  expect(await open()).toBe(200);
  const rotation = { key: good.text, params: { subscriptionId: ids.changed }, body: { overlap_seconds: 0 } };
  expect((await call(rotateWebhookSecret, rotation)).status).toBe(200);
  await call(deleteWebhookSubscription, { key: good.text, params: { subscriptionId: ids.made } });

  expect((await carryOut('webhooks list --host')).stdout).toContain(ids.elsewhere);
  await carryOut('webhooks block --host');
  expect(await statuses(another)).toEqual({ [ids.elsewhere]: 'paused' });

  await carryOut('webhooks resume');
  expect(await statuses()).toEqual({ [ids.good]: 'active', [ids.changed]: 'active' });
  expect(await statuses(another)).toEqual({ [ids.elsewhere]: 'paused' });
  expect([...ran.keys()]).toEqual(commands);
});
