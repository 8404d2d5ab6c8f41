import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { newSecret } from '../../../lib/webhooks/model/secrets.ts';
import { signatureHeader } from '../../../lib/webhooks/sending/send.ts';

test('a new secret is whsec_ and 32 bytes in base64, and never the same', () => {
  const secrets = Array.from({ length: 100 }, newSecret);
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(new Set(secrets).size).toBe(100);
});

describe('a signature', () => {
  // From the tests of the libraries of Standard Webhooks, and from the documentation of Svix, where the scheme began.
  test.each([
    {
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1614265330,
      body: '{"test": 2432232314}',
      published: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    {
      secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
      id: 'msg_27UH4WbU6Z5A5EzD8u03UvzRbpk',
      timestamp: 1649367553,
      body: '{"email":"test@example.com","username":"test_user"}',
      published: 'v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=',
    },
  ])('of $id is the published one', ({ secret, published, ...signed }) => {
    expect(signatureHeader({ ...signed, secrets: [secret] })).toBe(published);
  });

  const body = '{"name":"Zoë 🚀"}';

  /** The headers of an attempt made now. */
  function headersBy(...secrets: string[]): Record<string, string> {
    const timestamp = Math.floor(Date.now() / 1000);
    return {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureHeader({ id: 'evt_1', timestamp, body, secrets }),
    };
  }

  test('is verified by the public library', () => {
    const secret = newSecret();
    expect(new Webhook(secret).verify(body, headersBy(secret))).toEqual(JSON.parse(body));
  });

  test('by two secrets is verified with either of them', () => {
    const [before, after] = [newSecret(), newSecret()];
    const headers = headersBy(after, before);
    for (const secret of [before, after])
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });

  test('is refused with another secret, and with another body', () => {
    const secret = newSecret();
    expect(() => new Webhook(newSecret()).verify(body, headersBy(secret))).toThrow();
    expect(() => new Webhook(secret).verify(`${body} `, headersBy(secret))).toThrow();
  });
});
