import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newSecret } from '../../../lib/webhooks/model/secrets.ts';
import { checkSignatures } from '../../../lib/webhooks/subscriptions/testSubscription.ts';
import {
  answer,
  aReceiver,
  type Behaviour,
  endsAfter,
  neverAnswers,
  partsOf,
  resetsAfter,
} from '../../support/http/receivers.ts';

beforeEach(() => {
  vi.stubEnv('ALLOW_LOOPBACK_RECEIVERS', '1');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const secret = newSecret();

async function checked(behaviour: Behaviour, msLeft = 15_000): Promise<boolean | null> {
  const receiver = await aReceiver(behaviour);
  const subscription = { id: 'whs_1', version: 1, url: `http://127.0.0.1:${receiver.port}/` };
  return checkSignatures(subscription, { secrets: [{ secret }] }, Date.now() + msLeft);
}

/** The error of the public library; undefined when it verifies the request. */
function problemOf(request: string): string | undefined {
  const { headers, body } = partsOf(request);
  try {
    new Webhook(secret).verify(body, headers);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const isOld = (request: string) => problemOf(request) === 'Message timestamp too old';

const refusing = (status: string) => endsAfter(answer(status));

test.each(['400 Bad Request', '401 Unauthorized', '410 Gone', '500 Internal Server Error', '302 Found'])(
  'a receiver that refuses both with %s verifies',
  async (status) => {
    const verifying: Behaviour = (socket, request) =>
      socket.end(answer(problemOf(request) ? status : '204 No Content'));
    expect(await checked(verifying)).toBe(true);
  },
);

test.each(['200 OK', '202 Accepted', '204 No Content'])(
  'a receiver that answers %s to everything does not verify',
  async (status) => {
    expect(await checked(refusing(status))).toBe(false);
  },
);

test('a receiver that verifies the signature and not the time does not verify', async () => {
  const behaviour: Behaviour = (socket, request) =>
    socket.end(answer(isOld(request) ? '204 No Content' : '401 Unauthorized'));
  expect(await checked(behaviour)).toBe(false);
});

test('a receiver that verifies the time and not the signature does not verify', async () => {
  const behaviour: Behaviour = (socket, request) =>
    socket.end(answer(isOld(request) ? '401 Unauthorized' : '204 No Content'));
  expect(await checked(behaviour)).toBe(false);
});

test('a receiver that accepts one and breaks the connection of the other does not verify', async () => {
  const behaviour: Behaviour = (socket, request) =>
    isOld(request) ? socket.destroy() : socket.end(answer('204 No Content'));
  expect(await checked(behaviour)).toBe(false);
});

test.each([
  ['breaks the connection', resetsAfter('')],
  ['is too busy', refusing('429 Too Many Requests')],
  ['has a proxy that does not reach it', refusing('502 Bad Gateway')],
  ['is not available', refusing('503 Service Unavailable')],
  ['has a proxy that gets no answer', refusing('504 Gateway Timeout')],
  [
    'refuses one and is too busy for the other',
    (socket, request) => socket.end(answer(isOld(request) ? '401 Unauthorized' : '503 Service Unavailable')),
  ],
] as [string, Behaviour][])('a receiver that %s leaves it open', async (_, behaviour) => {
  expect(await checked(behaviour)).toBeNull();
});

test.each([300, 0, -1])('without an answer by the deadline, %d ms from now, it is left open', async (ms) => {
  expect(await checked(neverAnswers, ms)).toBeNull();
});
