import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readReport } from '../../../../infra/ops/keys/leakReport.ts';
import { createWebhookSubscription } from '../../../../lib/contract/webhookSubscriptions.ts';
import { listOrders } from '../../../../lib/resources/orders/operations.ts';
import { aReceiver, givenAccount, givenKey } from '../../../support/data/given.ts';
import { call } from '../../../support/http/api.ts';
import { listening } from '../../../support/http/served.ts';
import { run } from '../../../support/stack/commands.ts';
import { removeFolder, temporaryFolder } from '../../../support/stack/stackProcess.ts';

// `npm run keys -- leaked`: a report of GitHub secret scanning revokes its keys, and nothing else does.

/** The key, the body and the signature of GitHub's own example (docs.github.com, "Secret scanning partner program"). */
const gitHub = {
  identifier: '90a421169f0a406205f1563a953312f0be898d3c7b6c06b681aa86a874555f4a',
  key: [
    '-----BEGIN PUBLIC KEY-----',
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE9MJJHnMfn2+H4xL4YaPDA4RpJqUq',
    'kCmRCBnYERxZanmcpzQSXs1X/AljlKkbJ8qpVIW4clayyef9gWhFbNHWAA==',
    '-----END PUBLIC KEY-----',
  ].join('\n'),
  body: '[{"token":"some_token","type":"some_type","url":"some_url"}]',
  signature:
    'MEUCIQDKZokqnCjrRtw0tni+2Ltvl/uiMJ1EGumEsp1BsNr32AIgQY1YXD2nlj+XNfGK4rBfkMJ1JDOQcYXxa2sY8FNkrKc=',
};

const ours = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const anotherCurve = generateKeyPairSync('ec', { namedCurve: 'secp384r1' });
const pem = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();

let server: Server;
let keysUrl: string;
let folder: string;
beforeAll(async () => {
  folder = temporaryFolder();
  server = createServer((_, answer) =>
    answer.end(
      JSON.stringify({
        public_keys: [
          { key_identifier: 'ours', key: pem(ours.publicKey), is_current: true },
          { key_identifier: 'another curve', key: pem(anotherCurve.publicKey), is_current: true },
          { key_identifier: 'no key', key: 'no PEM', is_current: true },
          { key_identifier: gitHub.identifier, key: gitHub.key, is_current: false },
        ],
      }),
    ),
  );
  keysUrl = await listening(server);
});
afterAll(() => {
  server.close();
  removeFolder(folder);
});

const url = 'https://github.com/octocat/Hello-World/blob/1234/.env';

const reportOf = (...tokens: string[]): string =>
  JSON.stringify(tokens.map((token) => ({ token, type: 'public_api_key', url, source: 'content' })));

let files = 0;

/** Runs the command with a report that GitHub, as far as the command knows, has signed. */
function leaked(
  body: string,
  {
    signed = body,
    by = ours.privateKey,
    identifier = 'ours',
    more = ['--json'],
  }: {
    signed?: string;
    by?: KeyObject;
    identifier?: string;
    more?: string[];
  } = {},
) {
  const file = join(folder, `${++files}.json`);
  writeFileSync(file, body);
  const signature = sign('sha256', Buffer.from(signed), by).toString('base64');
  const args = ['leaked', file, '--key-identifier', identifier, '--signature', signature];
  return run('keys', [...args, '--public-keys', keysUrl, ...more]);
}

const statusFor = async (key: string) => (await call(listOrders, { key })).status;

test('the example of GitHub’s documentation is verified', async () => {
  const signed = { keyIdentifier: gitHub.identifier, signature: gitHub.signature };
  expect(await readReport(Buffer.from(gitHub.body), signed, keysUrl)).toEqual([
    { token: 'some_token', type: 'some_type', url: 'some_url' },
  ]);
  await expect(readReport(Buffer.from(`${gitHub.body}\n`), signed, keysUrl)).rejects.toThrow(
    /signature does not fit/,
  );
});

describe('a report', () => {
  test('revokes its keys of any account with the next request, and no other key', async () => {
    const account = givenAccount();
    const [one, other, untouched] = [
      await givenKey(account),
      await givenKey(givenAccount()),
      await givenKey(account),
    ];
    expect(await Promise.all([one, other, untouched].map(({ text }) => statusFor(text)))).toEqual([
      200, 200, 200,
    ]);
    const { code, stdout } = await leaked(reportOf(one.text, 'pak_live_nobodys', other.text, one.text));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      found: [
        { result: 'revoked', label: 'true_positive', key_id: one.key.id, account, url },
        { result: 'unknown', label: 'false_positive', key_id: null },
        { result: 'revoked', key_id: other.key.id },
        { result: 'ended before', label: 'true_positive', key_id: one.key.id },
      ],
      cache_flushed: true,
    });
    expect(await Promise.all([one, other, untouched].map(({ text }) => statusFor(text)))).toEqual([
      401, 401, 200,
    ]);
  });

  test('stands in the activity with who found the key, and where', async () => {
    const { key, text } = await givenKey(givenAccount());
    await leaked(reportOf(text));
    const { stdout } = await run('keys', ['history', key.id, '--json']);
    expect(JSON.parse(stdout)[0]).toMatchObject({
      action: 'key.revoked',
      author: { kind: 'operator' },
      report: { by: 'GitHub secret scanning', url },
    });
  });

  test('leaves a key alone whose leaked secret has ended', async () => {
    const { key, text } = await givenKey(givenAccount());
    const { stdout } = await run('keys', ['rotate', key.id, '--overlap', '0', '--json']);
    const { key: fresh } = JSON.parse(stdout);
    expect(JSON.parse((await leaked(reportOf(text))).stdout).found).toMatchObject([{ result: 'unknown' }]);
    expect(await statusFor(fresh)).toBe(200);
  });

  test('has each entry judged alone: odd ones keep no key alive', async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, () => givenKey(givenAccount())));
    const [long, number, bare, spaced, last] = keys.map(({ text }) => text) as [
      string,
      string,
      string,
      string,
      string,
    ];
    const { code, stdout } = await leaked(
      JSON.stringify([
        { token: long, type: 'a', url: `https://example.com/${'x'.repeat(3000)}` },
        { token: 5, type: 'a', url },
        { token: number, type: 5, url: 5 },
        null,
        { token: bare },
        { token: `a half of a character \ud800`, type: 'a', url },
        { token: ` ${spaced}\n`, type: 'a', url },
        { token: last, type: 'a', url },
      ]),
    );
    const { found } = JSON.parse(stdout);
    expect(found.map(({ result }: { result: string }) => result)).toEqual([
      ...['revoked', 'not revoked', 'revoked', 'not revoked', 'revoked', 'unknown', 'revoked', 'revoked'],
    ]);
    expect(found[0].url).toHaveLength(2048);
    expect(found[1]).toMatchObject({ reason: 'the entry has no text as its token', label: 'false_positive' });
    expect(await Promise.all(keys.map(({ text }) => statusFor(text)))).toEqual([401, 401, 401, 401, 401]);
    expect(code).toBe(1);
  });

  test('shows no key of its addresses, and nothing that moves a cursor', async () => {
    const account = givenAccount();
    const [one, other, again] = [await givenKey(account), await givenKey(account), await givenKey(account)];
    const older = 'older+format/of a key 1234';
    const address = (...keys: string[]) => `https://example.com/?${keys.join('&')}`;
    const report = [
      { token: one.text, type: 'a', url: address(one.text, other.text, 'x'.repeat(1950), again.text) },
      { token: older, type: 'a', url: address(older, encodeURIComponent(older)) },
      { token: 'a text that is none\u001b[2J', type: 'a', url: address('\u202e') },
    ];
    const ran = await leaked(JSON.stringify(report), { more: [] });
    const { stdout: history } = await run('keys', ['history', one.key.id, '--json']);
    const { stdout: json } = await leaked(JSON.stringify(report));
    for (const shown of [ran.stdout + ran.stderr, history, json])
      expect(shown).not.toMatch(/pak_(live|test)_\w{20}|older.+format/);
    for (const character of ['\u001b', '\u202e']) expect(ran.stdout).not.toContain(character);
    expect(JSON.parse(history)[0].report.url).toMatch(/^https:\/\/example\.com\/\?….{4}&….{4}&x+/);
    expect(ran.stdout).toContain('\\u001b[2J');
  });

  test('lists the subscriptions that its keys made, pauses them when asked to, and shows no key', async () => {
    const { text } = await givenKey(givenAccount());
    const made = await call(createWebhookSubscription, {
      key: text,
      body: { url: aReceiver(), event_types: ['*'] },
    });
    const { stdout, stderr } = await leaked(reportOf(text), { more: ['--pause-subscriptions'] });
    expect(stdout).toContain((made.body as { id: string }).id);
    expect(stdout).toContain('Nothing is sent to any of them.');
    expect(stdout + stderr).not.toContain(text);
  });
});

describe('nothing is revoked by a report', () => {
  test.each<[string, Parameters<typeof leaked>[1], RegExp]>([
    ['whose bytes are others than those that were signed', { signed: 'another' }, /signature does not fit/],
    [
      'that another key has signed',
      { by: generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey },
      /signature does not fit/,
    ],
    [
      'that names a key which GitHub does not publish',
      { identifier: 'nobody' },
      /has no key with this identifier/,
    ],
    [
      'that is signed over another curve',
      { identifier: 'another curve', by: anotherCurve.privateKey },
      /not one for ECDSA over P-256/,
    ],
    [
      'that names what is no key',
      { identifier: 'no key' },
      /^The public key is not one for ECDSA over P-256\.\n$/,
    ],
  ])('%s', async (_, how, message) => {
    const { text } = await givenKey(givenAccount());
    const { code, stderr } = await leaked(reportOf(text), how);
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(stderr).not.toContain(text);
    expect(await statusFor(text)).toBe(200);
  });

  test('that is no list', async () => {
    const { text } = await givenKey(givenAccount());
    const { code, stderr } = await leaked(JSON.stringify({ token: text }));
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^The report is not a list\. Nothing was revoked\.\n$/),
    ]);
    expect(await statusFor(text)).toBe(200);
  });
});
