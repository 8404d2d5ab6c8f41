import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../../../infra/local/process/freePort.ts';
import { forward } from '../../../infra/ops/listen/forward.ts';
import type { Change } from '../../../lib/contract/changes.ts';
import { transact } from '../../../lib/dynamodb/transact.ts';
import { createContact, updateContact } from '../../../lib/resources/contacts/operations.ts';
import type { Scope } from '../../../lib/resources/operation.ts';
import { announce } from '../../../lib/webhooks/model/announce.ts';
import { changeSubscription } from '../../../lib/webhooks/model/changeSubscription.ts';
import { readSubscription } from '../../../lib/webhooks/model/readSubscriptions.ts';
import { newSecret } from '../../../lib/webhooks/sending/sendSigned.ts';
import {
  aContact,
  anOrder,
  givenAccount,
  givenKey,
  givenOrders,
  givenSubscription,
} from '../../support/data/given.ts';
import { apiUrl, call } from '../../support/http/api.ts';
import { served } from '../../support/http/served.ts';
import { Receiver } from '../../support/pipeline/receiver.ts';
import { isWhole } from '../../support/run/extent.ts';
import { begin, run } from '../../support/stack/commands.ts';

let receiver: Receiver;
let account: string;
let key: string;
beforeEach(async () => {
  receiver = new Receiver();
  account = givenAccount();
  key = (await givenKey(account)).text;
});
afterEach(() => receiver.close());

/** The command as a process, with what it has printed so far. */
function listening(args: string[], env: Record<string, string> = {}) {
  const { child, ended } = begin('listen', args, { env: { KEY: key, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.on('data', (text) => {
      printed[name] += text;
    });
  const prints = (name: keyof typeof printed, pattern: RegExp) =>
    expect.poll(() => printed[name]).toMatch(pattern);
  const stop = async () => {
    child.kill('SIGINT');
    return ended;
  };
  return { prints, printed, stop };
}

async function create(more: object = {}) {
  const { status, body } = await call(createContact, { key, body: aContact(more) });
  expect(status).toBe(201);
  return body;
}

const bodies = (path: string) => receiver.requestsAt(path).map(({ body }) => JSON.parse(body));

test('events are whole and signed, as those of a full webhook, and the printed command continues', async () => {
  await receiver.open();
  const { secret } = await givenSubscription(account, {
    url: receiver.url('webhook'),
    event_types: ['contact.*'],
    payload: 'full',
  });
  receiver.trust('webhook', secret);
  const first = listening(['--url', apiUrl, '--forward-to', receiver.url('listen'), '--after=-1']);
  await first.prints(
    'stdout',
    /^Events are signed with whsec_\S{44}, and come from \S+ behind change -1\.\n/,
  );
  const printed = /whsec_\S{44}/.exec(first.printed.stdout)?.[0] as string;
  receiver.trust('listen', printed);

  const { id } = await create({ custom_fields: { plan: 'gold' } });
  await first.prints('stdout', /\n {5}0 {2}contact\.created +con_\w+ {2}204 {2}\d+ ms\n/);
  await call(updateContact, { key, params: { contactId: id }, body: { first_name: 'Grace' } });
  await first.prints('stdout', /\n {5}1 {2}contact\.updated +con_\w+ {2}204 {2}\d+ ms\n/);
  await expect.poll(() => receiver.requestsAt('webhook').length).toBe(2);
  const ofVersion = (path: string, version: number) =>
    receiver.requestsAt(path).find(({ body }) => JSON.parse(body).resource.version === version);
  expect(ofVersion('listen', 1)?.body).toBe(ofVersion('webhook', 1)?.body);
  const [forwarded, webhook] = [ofVersion('listen', 2), ofVersion('webhook', 2)];
  expect(JSON.parse(forwarded?.body as string)).toEqual({
    ...JSON.parse(webhook?.body as string),
    previous: {},
  });
  expect(forwarded?.id).toBe(webhook?.id);
  for (const { verifiedBy } of receiver.requestsAt('listen')) expect(verifiedBy).toEqual([printed]);

  const { code, stdout } = await first.stop();
  const [, line] = /\nContinue with KEY=… SECRET=… npm run ops -- listen (.+)\n$/.exec(stdout) ?? [];
  expect(code).toBe(0);
  const args = (line as string).split(' ').map((word) => word.replaceAll("'", ''));
  const second = listening(args, { SECRET: printed });
  await second.prints('stdout', /behind change 1\.\n/);
  await create();
  await second.prints('stdout', /\n {5}2 {2}contact\.created/);
  expect(receiver.requestsAt('listen').map(({ verifiedBy }) => verifiedBy)).toEqual([
    [printed],
    [printed],
    [printed],
  ]);
});

test.runIf(isWhole)('the event of a suspended subscription is that of a full webhook, too', async () => {
  await receiver.open();
  const subject = await givenSubscription(account);
  await givenSubscription(account, { url: receiver.url('webhook'), event_types: ['subscription.*'] });
  const before = await readSubscription(account, subject.id);
  const suspension = { status: 'suspended', status_reason: 'failing' } as const;
  const { next, action } = changeSubscription(account, before, suspension);
  await transact([action, announce(account, 'subscription.suspended', before, next)]);
  const { prints } = listening(['--url', apiUrl, '--forward-to', receiver.url('listen'), '--after=-1']);
  await prints('stdout', / 0 {2}subscription\.suspended +whs_\w+ {2}204 /);
  await expect.poll(() => bodies('webhook')).toHaveLength(1);
  expect(bodies('listen')).toEqual([{ ...bodies('webhook')[0], previous: {} }]);
});

test('only types that are asked for come, and what a receiver says to them is shown', async () => {
  await receiver.open();
  receiver.reply = () => 400;
  await create();
  const args = ['--url', `${apiUrl}/`, '--forward-to', receiver.url('listen'), '--types', 'order.*'];
  const { prints } = listening([...args, '--after=-1']);
  await prints('stdout', /behind change -1/);
  const [order] = await givenOrders(account, [anOrder()]);
  await prints('stdout', /\n {5}1 {2}order\.created +ord_\w+ {2}400 {2}\d+ ms {2}a canary of the receiver\n/);
  expect(bodies('listen').map(({ data }) => data.id)).toEqual([order?.id]);
});

test.runIf(isWhole)(
  'without --after the next change is the first, and it waits for a receiver that is not up yet',
  async () => {
    await create();
    const port = await freePort();
    const { prints, printed } = listening([
      '--url',
      apiUrl,
      '--forward-to',
      `http://localhost:${port}/listen`,
    ]);
    await prints('stdout', /behind change 0\.\n/);
    await create();
    await prints(
      'stdout',
      / 1 {2}contact\.created +con_\w+ {2}connection_error {2}\d+ ms; it is sent again in 0\.5 s\n/,
    );
    await receiver.open(port);
    await prints('stdout', / 1 {2}contact\.created +con_\w+ {2}204 /);
    expect(receiver.requestsAt('listen')).toHaveLength(1);
    expect(printed.stdout).not.toMatch(/ 0 {2}contact\.created/);
  },
);

test('a receiver that stays down ends it with a sentence', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  const change: Change = {
    number: 7,
    id: 'evt_1',
    type: 'contact.created',
    at: '2026-03-01T09:30:00.000Z',
    resource: { type: 'contact', id: 'con_1', version: 1 },
    changed_fields: [],
    origin: null,
  };
  const url = `http://127.0.0.1:${await freePort()}/`;
  const down = { url, secret: newSecret(), delaysMs: [1, 1] };
  await expect(forward(change, { id: 'con_1' }, down, new AbortController().signal)).rejects.toThrow(
    `The receiver ${url} does not answer. Start it, and then continue.`,
  );
  expect(log).toHaveBeenCalledTimes(3);
});

test.runIf(isWhole)('an API that fails for a while is asked again, and no event is lost', async () => {
  await receiver.open();
  let failures = 0;
  const proxy = await aServer(async (path, headers) => {
    const isBusy = path.startsWith('/v1/contacts') && failures++ < 1;
    return isBusy ? new Response('busy', { status: 503 }) : fetch(new URL(path, apiUrl), { headers });
  });
  const { prints } = listening(['--url', `${proxy}/v1`, '--forward-to', receiver.url('listen')]);
  await prints('stdout', /behind change -1/);
  const { id } = await create();
  await prints('stderr', /^The API at \S+ answers 503 at the moment\. It is asked again in 1 s\.\n/);
  await prints('stdout', / 0 {2}contact\.created /);
  expect(bodies('listen').map(({ data }) => data.id)).toEqual([id]);
});

/** A server that answers as another one does. */
async function aServer(
  answer: (path: string, headers: Record<string, string>) => Promise<Response> | Response,
): Promise<string> {
  return served(async (request, response) => {
    const key = String(request.headers['x-api-key']);
    const { status, headers, body } = await answer(request.url as string, { 'X-Api-Key': key });
    const text = body ? Buffer.from(await new Response(body).arrayBuffer()) : '';
    response.writeHead(status, { Location: headers.get('Location') ?? '/' }).end(text);
  });
}

describe('it ends with a sentence', () => {
  const target = ['--forward-to', 'http://127.0.0.1:4000'];
  const tried = async (args: string[]) => {
    const { code, stdout, stderr } = await run('listen', args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    return stderr;
  };
  beforeEach(() => {
    vi.stubEnv('KEY', key);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test.each([
    ['no key', undefined, /^The environment variable KEY must hold a key of the API/],
    [
      'a key that no header can hold',
      'pak_live_ä',
      /^The environment variable KEY must hold a key of the API/,
    ],
    ['a wrong key', 'pak_live_wrong', /does not take the key in KEY: Missing or invalid API key\.$/m],
  ])('with %s', async (_, given, sentence) => {
    vi.stubEnv('KEY', given);
    expect(await tried(['--url', apiUrl, ...target])).toMatch(sentence);
  });

  test('with a key that lacks the scope, which it names', async () => {
    const scopes: Scope[] = ['webhooks:manage'];
    vi.stubEnv('KEY', (await givenKey(account, scopes)).text);
    expect(await tried(['--url', apiUrl, ...target])).toMatch(
      /^The key in KEY is not enough: .*contacts:read.*\.$/m,
    );
  });

  test.each(['secret', 'whsec_', `whsec_${'a'.repeat(91)}`])('with the secret %s', async (secret) => {
    vi.stubEnv('SECRET', secret);
    expect(await tried(['--url', apiUrl, ...target])).toMatch(
      /^The environment variable SECRET must be whsec_/,
    );
  });

  test('when nothing listens at the URL', async () => {
    const url = `http://127.0.0.1:${await freePort()}/v1`;
    expect(await tried(['--url', url, ...target])).toMatch(
      /^The API at \S+ does not answer: connect ECONNREFUSED/,
    );
  });

  test('when the URL is not that of the API', async () => {
    expect(await tried(['--url', `${apiUrl}/nothing`, ...target])).toMatch(
      /^The address \S+ has no changes, so it is not that of this API/,
    );
    const other = await aServer(() => new Response('{}'));
    expect(await tried(['--url', other, ...target])).toMatch(/^The address \S+ has no changes/);
    const page = await aServer(() => new Response('<html>'));
    expect(await tried(['--url', page, ...target])).toMatch(/^The address \S+ answers 200 without JSON/);
  });

  test('when the API sends the key elsewhere, and it does not follow', async () => {
    const asked: string[] = [];
    const other = await aServer((path) => {
      asked.push(path);
      return new Response('{}');
    });
    const page = await aServer(() => new Response(null, { status: 302, headers: { Location: other } }));
    expect(await tried(['--url', page, ...target])).toMatch(/answers 302 without JSON/);
    expect(asked).toEqual([]);
  });

  test('when --after is no change of the account, and says which are', async () => {
    expect(await tried(['--url', apiUrl, ...target, '--after', '5'])).toMatch(
      /answers 400: after must be -1: no change has a higher number; load the lists again\.$/m,
    );
  });

  test.each([
    [['--url', 'http://api.example.com/v1', ...target], /over https only/],
    [['--url', 'api.example.com', ...target], /The address of an API is one like/],
    [['--url', 'https://api.example.com', '--forward-to', 'https://example.com'], /to this machine only/],
    [['--url', 'https://api.example.com', '--forward-to', 'http://192.168.0.1:4000'], /to this machine only/],
    [['--url', 'https://api.example.com', ...target, '--types', 'contact'], /They must be 1 to 50 types/],
    [['--url', 'https://api.example.com', ...target, '--after', '1.5'], /It must be an integer from -1/],
  ])('for %j', async (args, sentence) => {
    expect(await tried(args)).toMatch(sentence);
  });
});
