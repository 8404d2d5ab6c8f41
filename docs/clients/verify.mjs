import { createHmac, timingSafeEqual } from 'node:crypto';

// The body is the bytes of the request, before anything parses them.
export function isGenuine(secret, headers, body) {
  const id = headers['webhook-id'];
  const sent = headers['webhook-timestamp'];
  const age = Math.abs(Date.now() / 1000 - sent);
  if (!(age <= 300)) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${sent}.`).update(body).digest();
  const signatures = headers['webhook-signature'] ?? '';
  return signatures.split(' ').some((one) => {
    const given = Buffer.from(one.replace('v1,', ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
