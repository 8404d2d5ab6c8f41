import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createWebhookSubscription } from '../../../../lib/contract/webhookSubscriptions.ts';
import type { Contact } from '../../../../lib/resources/contacts.ts';
import { aContact, deleted, givenAccount, givenContacts, givenKey } from '../../../support/data/given.ts';
import { apiUrl, call } from '../../../support/http/api.ts';
import { served } from '../../../support/http/served.ts';
import { root } from '../../../support/stack/stackProcess.ts';

// Follows the recipes for n8n and Zapier, which do not run here: with a real event, and with the fields of their steps.

const recipe = (name: string): string => readFileSync(join(root, 'docs', 'clients', name), 'utf8');

/** Subscribes as the page says, makes a contact, and deletes another one. @returns what the webhook step gets of each */
async function caught(account: string, key: string) {
  const events: { type: string; resource: { id: string } }[] = [];
  const address = await served(async (request, response) => {
    events.push(JSON.parse(await text(request)));
    response.writeHead(200).end();
  });
  const body = { url: `${address}/`, event_types: ['contact.*'], payload: 'thin' };
  expect((await call(createWebhookSubscription, { key, body })).status).toBe(201);
  const [contact, other] = (await givenContacts(account, [aContact(), aContact()])) as [Contact, Contact];
  await deleted(account, other.id);
  const eventOf = async (id: string, type: string) => {
    const found = () => events.find((event) => event.resource.id === id && event.type === type);
    await expect.poll(found).toBeDefined();
    return found() as (typeof events)[0];
  };
  const event = await eventOf(contact.id, 'contact.created');
  return { event, deletion: await eventOf(other.id, 'contact.deleted'), contact };
}

/** Fills in what stands between double braces. */
const filled = (field: string, value: (expression: string) => string): string =>
  field.replace(/\{\{ ?(.+?) ?\}\}/g, (_, expression) => value(expression));

test('the workflow for n8n reads the contact of an event, and takes another way for a deletion', async () => {
  const { nodes, connections } = JSON.parse(recipe('n8n.json').replace('=URL/', `=${apiUrl}/`));
  const [hook, branch, deletes, request] = nodes;
  expect(hook.parameters.httpMethod).toBe('POST');
  const nextOf = (name: string) => connections[name].main.map(([next]: [{ node: string }]) => next.node);
  expect(nextOf(hook.name)).toEqual([branch.name]);
  // The first way is that of a true condition.
  expect(nextOf(branch.name)).toEqual([deletes.name, request.name]);
  expect(request.parameters).toMatchObject({ genericAuthType: 'httpHeaderAuth' });
  const account = givenAccount();
  const { text: key } = await givenKey(account);
  const { event, deletion, contact } = await caught(account, key);
  // An expression begins with "=", and $json is what the node before gives: the webhook's has the body of its request.
  const evaluate = new Function('$json', 'expression', 'return eval(expression)');
  const valueFor = (body: object, field: string) => filled(field.slice(1), (one) => evaluate({ body }, one));
  const [{ leftValue, rightValue, operator }] = branch.parameters.conditions.conditions;
  expect(operator).toEqual({ type: 'string', operation: 'equals' });
  expect([valueFor(deletion, leftValue), valueFor(event, leftValue)]).toEqual([
    rightValue,
    'contact.created',
  ]);
  const url = valueFor(event, request.parameters.url);
  expect(await (await fetch(url, { headers: { 'X-Api-Key': key } })).json()).toEqual(contact);
});

/** The fields of the steps of a Zap, by the name of the step. */
function stepsOf(zap: string): Map<string, [field: string, value: string][]> {
  const steps = new Map<string, [string, string][]>();
  let step = '';
  let field = '';
  for (const [, named = '', ofField = '', value = ''] of zap.matchAll(/^\| (.*?) ?\| (.*?) ?\| (.+) \|$/gm)) {
    if (['Step', '---'].includes(named)) continue;
    step = named || step;
    field = ofField || field;
    steps.set(step, [...(steps.get(step) ?? []), [field, value]]);
  }
  return steps;
}

/** Sends the request of a step. */
async function sent(step: [field: string, value: string][], key: string, values: Record<string, string>) {
  const all = step.map(([field, value]): [string, string] => [
    field,
    filled(value, (name) => values[name] as string)
      .replace('URL/', `${apiUrl}/`)
      .replace('`KEY`', `\`${key}\``),
  ]);
  const plain = (name: string) => all.find(([field]) => field === name)?.[1].slice(1, -1);
  const headers = all
    .filter(([field]) => field === 'Headers')
    .map(([, value]) => (/^`(.+)`: `(.+)`$/.exec(value) ?? []).slice(1) as [string, string]);
  const body = plain('Data');
  return fetch(plain('URL') as string, {
    method: plain('Method') ?? 'GET',
    headers,
    ...(body === undefined ? {} : { body }),
  });
}

/** Whether an event passes a filter. */
function passes(
  filter: [field: string, value: string][] | undefined,
  event: Record<string, unknown>,
): boolean {
  const [, field = '', is = '', value] =
    /^`(\w+)` \(Text\) (Exactly matches|Does not exactly match) `(.+)`$/.exec(filter?.[0]?.[1] ?? '') ?? [];
  return (event[field] === value) === (is === 'Exactly matches');
}

/** The values of a hook as Zapier names them: what is inside an object has both names. */
const zapped = ({ type, resource: { id } }: { type: string; resource: { id: string } }) => ({
  type,
  resource__id: id,
});

test('the Zaps read the contact of an event, or delete a copy, and write a contact', async () => {
  const [reads, deletes, writes] = recipe('zapier.md').split(/^# /m).slice(1).map(stepsOf);
  const step = (zap: typeof reads, name: string) => zap?.get(name) ?? [];
  const filters = [reads, deletes].map((zap) => step(zap, 'Filter by Zapier'));
  const put = step(writes, 'Webhooks by Zapier: Custom Request');
  const account = givenAccount();
  const { text: key } = await givenKey(account);
  const { event, deletion, contact } = await caught(account, key);
  expect([event, deletion].map((one) => filters.map((filter) => passes(filter, one)))).toEqual([
    [true, false],
    [false, true],
  ]);
  expect(await (await sent(step(reads, 'Webhooks by Zapier: GET'), key, zapped(event))).json()).toEqual(
    contact,
  );
  expect(
    filled(step(deletes, 'your tool')[0]?.[1] ?? '', (name) => zapped(deletion)[name as 'resource__id']),
  ).toBe(`\`${deletion.resource.id}\``);
  const written = await sent(put, key, { external_id: 'zap-1', email: 'zap@example.com' });
  expect([written.status, await written.json()]).toEqual([
    201,
    expect.objectContaining({ external_id: 'zap-1', email: 'zap@example.com', tags: ['zapier'] }),
  ]);
});
