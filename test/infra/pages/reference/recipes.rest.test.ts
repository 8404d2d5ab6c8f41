import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createWebhookSubscription } from '../../../../lib/contract/webhookSubscriptions.ts';
import { aContact, givenAccount, givenContacts, givenKey } from '../../../support/data/given.ts';
import { apiUrl, call } from '../../../support/http/api.ts';
import { served } from '../../../support/http/served.ts';
import { root } from '../../../support/stack/stackProcess.ts';

// Follows the recipes for n8n and Zapier, which do not run here: with a real event, and with the fields of their steps.

const recipe = (name: string): string => readFileSync(join(root, 'docs', 'clients', name), 'utf8');

/** Subscribes as the page says, and changes a contact. @returns what the webhook step gets */
async function caught(account: string, key: string) {
  const events: { type: string; resource: { id: string } }[] = [];
  const address = await served(async (request, response) => {
    events.push(JSON.parse(await text(request)));
    response.writeHead(200).end();
  });
  const body = { url: `${address}/`, event_types: ['contact.*'], payload: 'thin' };
  expect((await call(createWebhookSubscription, { key, body })).status).toBe(201);
  const [contact] = await givenContacts(account, [aContact()]);
  await expect.poll(() => events).toHaveLength(1);
  return { event: events[0] as (typeof events)[0], contact };
}

/** Fills in what stands between double braces. */
const filled = (field: string, value: (expression: string) => string): string =>
  field.replace(/\{\{ ?(.+?) ?\}\}/g, (_, expression) => value(expression));

test('each has 30 lines at most', () => {
  for (const name of ['n8n.json', 'zapier.md'])
    expect(recipe(name).trim().split('\n').length, name).toBeLessThanOrEqual(30);
});

test('the workflow for n8n reads the contact of an event', async () => {
  const { nodes, connections } = JSON.parse(recipe('n8n.json').replace('=URL/', `=${apiUrl}/`));
  const [hook, request] = nodes;
  expect(hook.parameters.httpMethod).toBe('POST');
  expect(connections[hook.name].main[0][0].node).toBe(request.name);
  expect(request.parameters).toMatchObject({ genericAuthType: 'httpHeaderAuth' });
  const account = givenAccount();
  const { text: key } = await givenKey(account);
  const { event, contact } = await caught(account, key);
  // An expression begins with "=", and $json is what the node before gives: the webhook's has the body of its request.
  const evaluate = new Function('$json', 'expression', 'return eval(expression)');
  const url = filled(request.parameters.url.slice(1), (one) => evaluate({ body: event }, one));
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

test('the Zaps read the contact of an event, and write one', async () => {
  const [reads, writes] = recipe('zapier.md')
    .split(/^# A Zap that writes/m)
    .map(stepsOf);
  const [[, [[, child] = []] = []] = [], [, get] = []] = [...(reads ?? [])];
  const [[, put] = []] = [...(writes ?? [])];
  const account = givenAccount();
  const { text: key } = await givenKey(account);
  const { event, contact } = await caught(account, key);
  const resource = event[child?.slice(1, -1) as 'resource'];
  expect(await (await sent(get ?? [], key, resource)).json()).toEqual(contact);
  const written = await sent(put ?? [], key, { external_id: 'zap-1', email: 'zap@example.com' });
  expect([written.status, await written.json()]).toEqual([
    201,
    expect.objectContaining({ external_id: 'zap-1', email: 'zap@example.com', tags: ['zapier'] }),
  ]);
});
