import * as z from 'zod';
import { type Rule, ruleError } from './rule.ts';

/** The host that a URL leads to: a name without the one dot that may end it, or an IP address without brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$|\.$/g, '');

/** The hosts of receivers on loopback. lib/webhooks/sending/address.ts decides whether they are allowed. */
export const isLoopbackHost = (host: string): boolean => host === 'localhost' || host === '127.0.0.1';

const localEndings = ['local', 'internal', 'localhost', 'arpa'];

/** Whether a host name can be one of the public internet, by its labels. */
function isOfInternet(host: string): boolean {
  const labels = host.split('.');
  return labels.length > 1 && !labels.includes('') && !localEndings.includes(labels.at(-1) as string);
}

/**
 * The rules for the parts of a URL, as an HTTP client parses it and not as it is written: 127.1, 0x7f.1 and 2130706433 are one
 * host.
 */
const parts: readonly { isWrong: (url: URL, host: string) => boolean; rule: Rule }[] = [
  {
    isWrong: ({ protocol }, host) => protocol !== 'https:' && !isLoopbackHost(host),
    rule: 'must begin with https:// (the local stack also takes http:// for localhost and 127.0.0.1)',
  },
  {
    isWrong: ({ username, password }) => username !== '' || password !== '',
    rule: 'must have no user name and no password before its host',
  },
  {
    // A Lambda outside a VPC has no way to IPv6.
    isWrong: ({ hostname }) => hostname.startsWith('['),
    rule: 'must have a name or an IPv4 address as its host: webhooks are sent over IPv4, and not to IPv6 addresses',
  },
  {
    isWrong: ({ hostname }, host) =>
      !hostname.startsWith('[') && !isLoopbackHost(host) && !isOfInternet(host),
    rule: `must have a host with a dot, without an empty part, that does not end in ${localEndings.map((ending) => `.${ending}`).join(', ')}`,
  },
  {
    isWrong: ({ port }, host) => !['', '8443'].includes(port) && !isLoopbackHost(host),
    rule: 'must be on port 443 or 8443 (the local stack takes any for localhost and 127.0.0.1)',
  },
  {
    // Only the text shows an empty fragment.
    isWrong: ({ href }) => href.includes('#'),
    rule: 'must have no fragment, which is # and what follows it',
  },
];

const max = 2048;

/** The two slashes are required: without them a client may read the host as a part of the path. */
const isUrl = (text: string): boolean =>
  /^[a-z]+:\/\/[^\s\p{Cc}\p{Cs}\p{DI}\u2800\uFFFD]+$/iu.test(text) && URL.canParse(text);

/**
 * The URL of a webhook's receiver, stored as it is parsed (https://url.spec.whatwg.org). This checks its form alone.
 * lib/webhooks/sending/address.ts checks its IP addresses, before it is stored and before every attempt.
 */
export function receiverUrl() {
  const rule = `must be an https URL of at most ${max} visible characters, as in https://example.com/hooks`;
  return z
    .string(ruleError(rule))
    .trim()
    .max(max, { error: rule, abort: true })
    .refine(isUrl, { error: rule, abort: true })
    .superRefine((text, context) => {
      const url = new URL(text);
      for (const { isWrong, rule } of parts)
        if (isWrong(url, hostOf(url))) context.addIssue({ code: 'custom', message: rule, continue: false });
    })
    .overwrite((text) => new URL(text).href)
    .max(max, `must be at most ${max} characters when what is not ASCII is encoded`);
}
