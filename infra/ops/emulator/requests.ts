import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { OpsError } from '../../terminal/opsError.ts';

/** A client of the API at an address, with a key for everything. */
export interface Client {
  url: string;
  key: string;
}

// biome-ignore lint/suspicious/noExplicitAny: the body of any answer
type Body = any;

/** Sends a request. @returns the body of the response @throws OpsError unless the response has the status */
async function ask(
  { url, key }: Client,
  path: string,
  status: number,
  { method = 'GET', body }: { method?: string; body?: object } = {},
): Promise<Body> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const content = await answer.text();
  if (answer.status !== status)
    throw new OpsError(`${method} ${path} is answered ${answer.status} and not ${status}: ${content}`);
  return JSON.parse(content || 'null');
}

export function must(what: string, isTrue: boolean, found: unknown): void {
  if (!isTrue) throw new OpsError(`${what}: ${JSON.stringify(found)}`);
}

/** Sends requests for the main kinds of responses. @returns the contact that they created */
export async function useApi(api: Client): Promise<{ id: string }> {
  await ask({ ...api, key: 'pak_live_wrong' }, '/contacts', 401);
  await ask(api, '/me', 200);
  const draft = { email: 'ada@example.com', first_name: 'Ada', tags: ['vip'] };
  const contact = await ask(api, '/contacts', 201, { method: 'POST', body: draft });
  const path = `/contacts/${contact.id}`;
  const changed = await ask(api, path, 200, { method: 'PATCH', body: { note: 'rehearsed' } });
  must('A change is lost', changed.note === 'rehearsed' && changed.version === 2, changed);
  const refused = await ask(api, '/contacts?limit=0', 400);
  must('A mistake is not explained', refused.message.startsWith('limit '), refused);
  await ask(api, '/nothing', 404);
  return contact;
}

/** Waits until a list contains a record, because filters follow a moment later. */
export async function followed(api: Client, path: string): Promise<Body> {
  const until = performance.now() + 60_000;
  for (;;) {
    const { data } = await ask(api, path, 200);
    if (data.length > 0) return data;
    must(`${path} does not show it within a minute`, performance.now() < until, data);
    await wait(500);
  }
}

/** Subscribes a receiver on this machine, creates a contact, and verifies the event. */
export async function signedWebhook(api: Client): Promise<void> {
  const receiver = createServer().listen(0, '127.0.0.1');
  try {
    await once(receiver, 'listening');
    const { port } = receiver.address() as { port: number };
    const url = `http://127.0.0.1:${port}/`;
    const subscription = { url, event_types: ['contact.created'] };
    const { secret } = await ask(api, '/webhook-subscriptions', 201, { method: 'POST', body: subscription });
    const signal = AbortSignal.timeout(60_000);
    const received = once(receiver, 'request', { signal });
    const { id } = await ask(api, '/contacts', 201, { method: 'POST', body: { email: 'bob@example.com' } });
    const [request, response] = await received;
    const body = await text(request);
    response.end();
    const event = new Webhook(secret).verify(body, request.headers) as Body;
    must('The event is about something else', event.data.id === id, event);
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
}
