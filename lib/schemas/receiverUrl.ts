import { code } from './fields.ts';
import type { Rule } from './reading.ts';

/** White space, invisible characters (Unicode's Default_Ignorable_Code_Point and the blank Braille cell), and characters that no text may contain. */
const noneInUrl = String.raw`\s\p{DI}\p{Cc}\p{Cs}\uFFF9-\uFFFD\u2800`;

/** Returns the host that a URL leads to: a name without a final dot, or an IP address without brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$|\.$/g, '');

/** Returns whether a receiver's host is on loopback. lib/webhooks/sending/receiverAddress.ts decides whether that is allowed. */
export const isLoopbackHost = (host: string): boolean => host === 'localhost' || host === '127.0.0.1';

const localEndings = ['local', 'internal', 'localhost', 'arpa'];

/** Returns whether a host name can belong to the public internet, judged by its labels. */
function isOfInternet(host: string): boolean {
  const labels = host.split('.');
  return labels.length > 1 && !labels.includes('') && !localEndings.includes(labels.at(-1) as string);
}

/** The characters of a name in ASCII. A name server may accept others, but no receiver needs them. */
const ofName = /^[a-z0-9._-]*$/;

const rules = {
  scheme: 'must begin with https:// (the local stack also takes http:// for localhost and 127.0.0.1)',
  host: 'must have a valid name or IPv4 address of visible characters as its host',
  port: 'must be on port 443 or 8443 (the local stack takes 1 to 65535 for localhost and 127.0.0.1)',
} satisfies Record<string, Rule>;

/** A URL as an HTTP client parses it, and not as it is written: 127.1, 0x7f.1 and 2130706433 are one host. */
interface Parsed {
  url: URL;
  host: string;
  /** Whether the port is not a number from 0 to 65535. `url` then has no port. */
  hasInvalidPort: boolean;
}

function isWrongPort({ url: { port }, host, hasInvalidPort }: Parsed): boolean {
  if (hasInvalidPort) return true;
  return isLoopbackHost(host) ? port === '0' : !['', '8443'].includes(port);
}

/** The rules for the parts of an http or https URL. */
const parts: readonly { isWrong: (parsed: Parsed) => boolean; rule: Rule }[] = [
  {
    isWrong: ({ url: { protocol }, host }) => protocol !== 'https:' && !isLoopbackHost(host),
    rule: rules.scheme,
  },
  {
    isWrong: ({ url: { username, password } }) => username !== '' || password !== '',
    rule: 'must have no user name and no password before its host',
  },
  {
    // A Lambda outside a VPC cannot reach IPv6 addresses.
    isWrong: ({ url: { hostname } }) => hostname.startsWith('['),
    rule: 'must have a name or an IPv4 address as its host: webhooks are sent over IPv4, and not to IPv6 addresses',
  },
  {
    isWrong: ({ url: { hostname }, host }) =>
      !hostname.startsWith('[') && !isLoopbackHost(host) && !isOfInternet(host),
    rule: `must have a host with a dot, without an empty part, that does not end in ${localEndings.map((ending) => `.${ending}`).join(', ')}`,
  },
  {
    isWrong: ({ url: { hostname }, host }) => !hostname.startsWith('[') && !ofName.test(host),
    rule: rules.host,
  },
  { isWrong: isWrongPort, rule: rules.port },
  {
    // Only the text shows an empty fragment.
    isWrong: ({ url: { href } }) => href.includes('#'),
    rule: 'must have no fragment, which is # and what follows it',
  },
];

const max = 2048;

/** Matches up to the end of the host and port. The two slashes are required, because without them a client may read the host as part of the path. */
const upToPort = /^https?:\/\/[^/\\?#]*/i;

/** Returns the rules that a text breaks. @param rule the rule of the whole text @param none the characters that no URL may contain */
function brokenRules(text: string, rule: Rule, none: RegExp): Rule[] {
  const [start] = upToPort.exec(text) ?? [];
  if (start === undefined) return [rules.scheme];
  if (none.test(start)) return [rules.host];
  if (none.test(text)) return [rule];
  const url = URL.parse(text) ?? URL.parse(start.replace(/:[^/:@\]]*$/, '') + text.slice(start.length));
  if (!url) return [rules.host];
  const parsed = { url, host: hostOf(url), hasInvalidPort: !URL.canParse(text) };
  return parts.filter(({ isWrong }) => isWrong(parsed)).map((part) => part.rule);
}

/**
 * The URL of a webhook's receiver, stored as it is parsed (https://url.spec.whatwg.org). This checks only its form.
 * lib/webhooks/sending/receiverAddress.ts checks its IP addresses before it is stored and before every attempt.
 */
export function receiverUrl() {
  const none = new RegExp(`[${noneInUrl}]`, 'u');
  const rule = `must be an https URL of at most ${max} visible characters, as in https://example.com/hooks`;
  return code(rule)
    .min(1, { error: rule, abort: true })
    .max(max, { error: rule, abort: true })
    .superRefine((text, context) => {
      for (const message of brokenRules(text, rule, none))
        context.addIssue({ code: 'custom', message, continue: false });
    })
    .overwrite((text) => new URL(text).href)
    .max(max, `must be at most ${max} characters when what is not ASCII is encoded`)
    .meta({ format: 'iri', maxLength: max });
}
