import { statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { readStackFile, type StackDescription } from '../../../../infra/local/process/stackFile.ts';
import { currentAssembly } from '../../../../infra/local/template/assembly.ts';
import { readTemplate } from '../../../../infra/local/template/template.ts';
import { createContact } from '../../../../lib/resources/contacts.ts';
import { givenAccount, givenKey } from '../../../support/data/given.ts';
import { allContacts } from '../../../support/data/stored.ts';
import { fullAccess, gatewayEvent } from '../../../support/http/events.ts';
import { openBrowser } from '../../../support/stack/browser.ts';

// What other users of the machine, and web pages of other sites, get from the ports of a local stack.

const dataFolder = inject('dataFolder') as string;
let running: StackDescription;
let invokeUrl: string;
let account: string;
let madeUp: string;
beforeAll(async () => {
  running = readStackFile(dataFolder) as StackDescription;
  const template = readTemplate(await currentAssembly(), { queueUrl: (id) => id });
  const functions = template.resources('AWS::Lambda::Function').map(({ id }) => id);
  const creator = functions.find((id) => id.startsWith('ApicreateContact'));
  invokeUrl = `${running.controlEndpoint}/2015-03-31/functions/${creator}/invocations`;
});
beforeEach(() => {
  account = givenAccount();
  madeUp = JSON.stringify(gatewayEvent(createContact, fullAccess(account), { body: { email: 'a@made.up' } }));
});

describe('without the token of its start, control', () => {
  const post = (url: string, token?: string, method = 'POST') =>
    fetch(url, {
      method,
      body: madeUp,
      headers: token === undefined ? {} : { 'X-Amz-Security-Token': token },
    });

  test('refuses a made-up event, and accepts it with the token', async () => {
    for (const token of [undefined, '', 'x', running.controlToken.slice(1), `${running.controlToken}x`]) {
      const refused = await post(invokeUrl, token);
      expect([refused.status, await refused.json()]).toEqual([
        403,
        { error: 'Forbidden', message: expect.stringContaining('The header X-Amz-Security-Token must be') },
      ]);
    }
    expect(await allContacts(account)).toEqual([]);
    const taken = await post(invokeUrl, running.controlToken);
    expect(await taken.json()).toMatchObject({ statusCode: 201 });
    expect(await allContacts(account)).toHaveLength(1);
  });

  test('and other users cannot read it', () => {
    expect(statSync(join(dataFolder, 'stack.json')).mode & 0o777).toBe(0o600);
  });
});

describe('a page of another site', () => {
  /** The host name of the foreign page. It resolves to this machine. */
  const evil = 'evil.example';
  const site = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>evil</title>');
  });
  let browser: Browser;
  beforeAll(async () => {
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    browser = await openBrowser([`--host-resolver-rules=MAP ${evil} 127.0.0.1`]);
  });
  afterAll(async () => {
    await browser.close();
    site.close();
  });

  const portOf = (url: string) => new URL(url).port;
  const queues = () => new URL(running.recordsInboxUrl).origin;

  /** Opens a page of a host; on a port of the stack, that is DNS rebinding. */
  async function open(host: string, port = String((site.address() as AddressInfo).port)): Promise<Page> {
    const page = await browser.newPage();
    await page.goto(`http://${host}:${port}/`);
    return page;
  }

  interface Init {
    method?: string;
    headers?: Record<string, string>;
    body?: string;
    mode?: 'no-cors';
  }

  interface PageAnswer {
    type: string;
    status: number;
    text: string;
  }

  /** What a page can read of the answer to a request; `refused` when the browser shows it nothing. */
  const ask = (page: Page, url: string, init: Init): Promise<PageAnswer | 'refused'> =>
    page.evaluate(
      async ([url, init]) =>
        fetch(url, init).then(
          async (response) => ({ type: response.type, status: response.status, text: await response.text() }),
          () => 'refused' as const,
        ),
      [url, init] as const,
    );

  const nothing = { type: 'opaque', status: 0, text: '' };

  /** Requests that a page may send without a preflight, and one with a preflight. */
  const simple = (body: string): Init => ({
    method: 'POST',
    headers: { 'Content-Type': 'text/plain' },
    body,
  });

  test.each([
    ['on another port', '127.0.0.1'],
    ['with a name that leads here', evil],
    ['on localhost', 'evil.localhost'],
  ])('reads nothing and changes nothing: %s', async (_, host) => {
    const page = await open(host);
    const { text: key } = await givenKey(account);
    const message = JSON.stringify({ account, resource: 'contacts', record: { external_id: 'evil' } });
    const sent = new URLSearchParams({
      Action: 'SendMessage',
      QueueUrl: running.recordsInboxUrl,
      MessageBody: message,
    });
    const requests: [string, Init][] = [
      [invokeUrl, simple(madeUp)],
      [invokeUrl, { ...simple(madeUp), headers: { 'X-Amz-Security-Token': running.controlToken } }],
      [running.controlEndpoint, {}],
      [`${running.url}/contacts`, { headers: { 'X-Api-Key': key } }],
      [`${running.url}/contacts`, simple('{"email":"a@made.up"}')],
      [new URL('/docs/openapi.json', running.url).href, {}],
      [queues(), simple(JSON.stringify({ QueueUrl: running.recordsInboxUrl, MessageBody: message }))],
      [
        queues(),
        { ...simple(String(sent)), headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
      ],
      [queues(), {}],
      [`${queues()}/_fauxqs/queues`, {}],
    ];
    const wrong: string[] = [];
    page.on('response', (response) => {
      if (response.request().method() === 'POST' && response.status() !== 403) wrong.push(response.url());
    });
    for (const [url, init] of requests) {
      expect(await ask(page, url, init), `${init.method} ${url}`).toBe('refused');
      expect(await ask(page, url, { ...init, mode: 'no-cors' }), `${init.method} ${url}`).toEqual(nothing);
    }
    expect(wrong).toEqual([]);
    expect(await allContacts(account)).toEqual([]);
    await page.close();
  });

  test('reads nothing when its name leads to a port of the stack after it was opened', async () => {
    for (const url of [running.url, running.controlEndpoint, queues()]) {
      const page = await open(evil, portOf(url));
      expect(await page.textContent('body')).toContain('The header Host must be');
      const { status } = (await ask(page, '/docs/', {})) as PageAnswer;
      expect(status).toBe(403);
      await page.close();
    }
  });

  test('does not find the database, which would answer it', async () => {
    const page = await open(evil);
    const { hostname, port } = new URL(running.databaseEndpoint);
    const list: Init = {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-amz-json-1.0',
        'X-Amz-Target': 'DynamoDB_20120810.ListTables',
        Authorization:
          'AWS4-HMAC-SHA256 Credential=a/20260101/local-1/dynamodb/aws4_request, SignedHeaders=host, Signature=b',
        'X-Amz-Date': '20260101T000000Z',
      },
      body: '{}',
    };
    for (const name of ['127.0.0.1', 'localhost', evil])
      expect(await ask(page, `http://${name}:${port}/`, list), name).toBe('refused');
    expect(hostname).toMatch(/^127(\.\d+){3}$/);
    // Only its random address protects the database: a page that knew the address would be answered.
    expect(await ask(page, running.databaseEndpoint, list)).toMatchObject({ status: 200 });
    await page.close();
  });
});
