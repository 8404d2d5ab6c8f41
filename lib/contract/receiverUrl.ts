// Loaded by CDK at synth, by every Lambda and by the tests: imports nothing but zod and its neighbours.
import * as z from 'zod';
import { says } from './rule.ts';

const localEndings = ['local', 'internal', 'localhost', 'arpa'];

/** The host that a URL leads to: a name without the one dot that may end it, or an IP address without brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$|\.$/g, '');

/** The hosts of receivers on loopback. Whether they are allowed at all, lib/webhooks/address.ts says. */
export const isLoopbackHost = (host: string): boolean => host === 'localhost' || host === '127.0.0.1';

function leadsOutside(host: string): boolean {
  const labels = host.split('.');
  return labels.length > 1 && !labels.includes('') && !localEndings.includes(labels.at(-1) as string);
}

/** Judged as a client of HTTP will read it, and not as it is written: 127.1, 0x7f.1 and 2130706433 are one host. */
function isReceiver(value: string): boolean {
  const url = URL.parse(value);
  if (url?.username !== '' || url.password !== '' || url.href.includes('#')) return false;
  const host = hostOf(url);
  if (isLoopbackHost(host)) return true;
  return url.protocol === 'https:' && ['', '8443'].includes(url.port) && leadsOutside(host);
}

/**
 * The address of a webhook's receiver, kept as it was written. This is about its form: where it leads,
 * lib/webhooks/address.ts judges before it is stored and before every attempt.
 */
export function receiverUrl() {
  const rule =
    'must be an https URL of at most 2048 characters, on port 443 or 8443, whose host has a dot and does not end in .local, .internal, .localhost or .arpa, without user info, fragment, white space, control characters or U+FFFD (the local stack also takes http, and any port, for localhost and 127.0.0.1)';
  return z
    .string(says(rule))
    .trim()
    .max(2048, { error: rule, abort: true })
    .refine((value) => /^https?:\/\/[^\s\p{Cc}\p{Cs}\uFFFD]+$/iu.test(value) && isReceiver(value), rule);
}
