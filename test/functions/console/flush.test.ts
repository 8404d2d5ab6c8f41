import type { SQSEvent } from 'aws-lambda';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { handler } from '../../../functions/console/flushAuthorizer.ts';
import { createKey, revokeKey, rotateKey, updateKey } from '../../../lib/contract/console/consoleKeys.ts';
import { env } from '../../../lib/env.ts';
import { callConsole, givenSession } from '../../support/console/console.ts';
import { givenAccount, givenKey } from '../../support/data/given.ts';
import { onWire } from '../../support/faults/wire.ts';
import { lambdaContext } from '../../support/http/events.ts';
import { served } from '../../support/http/served.ts';
import { asFunction } from '../../support/permissions/asFunction.ts';
import { useDivertedLog } from '../../support/run/logLines.ts';

// A change that takes access away counts although API Gateway caches the answers of the authorizer.

useDivertedLog();

let keyId: string;
let cookie: string;
let seconds: (number | undefined)[];
let isFailing: boolean;
beforeEach(async () => {
  const account = givenAccount();
  keyId = (await givenKey(account)).key.id;
  ({ cookie } = await givenSession(account));
  seconds = [];
  isFailing = false;
  onTestFinished(
    onWire((call, send) => {
      if (call.name !== 'SendMessageBatch') return send();
      if (isFailing) throw new Error('The queue is out of reach');
      const { Entries } = call.input as { Entries: { DelaySeconds?: number }[] };
      seconds.push(...Entries.map(({ DelaySeconds }) => DelaySeconds));
      return send();
    }),
  );
});

const params = () => ({ keyId });
const headers = { 'Idempotency-Key': 'once' };
const update = (body: object) => callConsole(updateKey, { cookie, params: params(), body });
const rotate = (overlap_seconds: number) =>
  callConsole(rotateKey, { cookie, params: params(), headers, body: { overlap_seconds } });
const revoke = () => callConsole(revokeKey, { cookie, params: params() });

test.each<[string, () => Promise<{ status: number }>]>([
  ['revoking', revoke],
  ['other scopes', () => update({ scopes: ['orders:read'] })],
  ['another end', () => update({ expires_at: '2999-01-01T00:00:00Z' })],
  ['a rotation without overlap', () => rotate(0)],
])('%s asks for a flush now, and for one when no authorizer can answer from before', async (_, change) => {
  expect((await change()).status).toBe(200);
  expect(seconds).toEqual([undefined, 10]);
});

test('a change that takes nothing away asks for none', async () => {
  await update({ name: 'Another name' });
  await rotate(60);
  await callConsole(createKey, { cookie, headers, body: { name: 'New', scopes: ['orders:read'] } });
  expect(seconds).toEqual([]);
});

test('a revocation whose flush failed says so, and its repetition asks again', async () => {
  isFailing = true;
  expect((await revoke()).status).toBe(500);
  isFailing = false;
  expect((await revoke()).body).toMatchObject({ status: 'revoked', version: 2 });
  expect(seconds).toEqual([undefined, 10]);
});

test('a rotation whose flush failed still shows the secret, because nothing shows it again', async () => {
  isFailing = true;
  expect((await rotate(0)).body.secret).toMatch(/^pak_test_/);
});

test('any number of messages make one flush of the stage, and a failed one is tried again', async () => {
  const requests: string[] = [];
  let status = 202;
  const server = await served(({ method, url }, response) => {
    requests.push(`${method} ${url}`);
    response.writeHead(status).end();
  });
  vi.stubEnv('AWS_ENDPOINT_URL_API_GATEWAY', server);
  vi.stubEnv(env.restApiId, 'api');
  vi.stubEnv(env.stageName, 'v1');
  onTestFinished(() => void vi.unstubAllEnvs());
  const run = asFunction('flushAuthorizer', handler);
  const flush = () => run({ Records: [{}, {}, {}] } as SQSEvent, lambdaContext());
  await flush();
  expect(requests).toEqual(['DELETE /restapis/api/stages/v1/cache/authorizers']);
  status = 403;
  await expect(flush()).rejects.toThrow();
});
