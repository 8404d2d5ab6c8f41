import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { env, optional } from '../../env.ts';
import { type Constant, constant } from '../../errors/constant.ts';
import { hostOf, isLoopbackHost } from '../../schemas/receiverUrl.ts';

export type { LookupAddress };

export type Resolve = (name: string) => Promise<LookupAddress[]>;

const resolveAll: Resolve = (name) => lookup(name, { all: true });

/** The global unicast addresses of IPv6. https://www.iana.org/assignments/ipv6-address-space */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Parses the address in a text. Returns undefined for short, octal or hexadecimal forms of IPv4, and for anything else. */
const parsed = (text: string) =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text) ? ipaddr.parse(text) : undefined;

/**
 * Returns whether this is a unicast address of the public internet. IPv6 addresses that contain IPv4 (mapped, NAT64, 6to4, Teredo) are refused,
 * because the network decides where they lead.
 */
export function isPublicAddress(address: string): boolean {
  const ip = parsed(address);
  if (ip?.range() !== 'unicast') return false;
  // The library returns "unicast" for every range that it does not know.
  return ip.kind() === 'ipv4' || ip.match(globalUnicast);
}

const isLoopbackAddress = (address: string): boolean => parsed(address)?.range() === 'loopback';

/** Returns whether webhooks may go to 127.0.0.1 and localhost. Only the local stack allows this. */
export const loopbackAllowed = (): boolean => optional(env.allowLoopbackReceivers) === '1';

async function addressesOf(host: string, signal: AbortSignal, resolve: Resolve): Promise<LookupAddress[]> {
  const ip = parsed(host);
  if (ip) return [{ address: host, family: ip.kind() === 'ipv4' ? 4 : 6 }];
  if (signal.aborted) return [];
  // A lookup cannot be stopped, so it continues after the signal.
  const timeUp = new Promise<[]>((end) => signal.addEventListener('abort', () => end([])));
  return Promise.race([resolve(host), timeUp]).catch(() => []);
}

/**
 * The reason why nothing is sent to a host. blocked: at least one of its addresses is not public, or is not allowed. unresolved: its name has
 * no address, or none was found in time. ipv6_only: a Lambda outside a VPC cannot send over IPv6.
 */
export type Unreachable = 'blocked' | 'unresolved' | 'ipv6_only';

/**
 * Returns the addresses that a webhook may connect to. Every address must be public, or on loopback where that is allowed. The caller must
 * connect without another lookup, which could return other addresses.
 */
export async function resolveReceiver(
  url: URL,
  signal: AbortSignal,
  resolve: Resolve = resolveAll,
): Promise<{ addresses: LookupAddress[] } | { refused: Unreachable }> {
  const host = hostOf(url);
  const onLoopback = isLoopbackHost(host) && loopbackAllowed();
  if (url.protocol !== 'https:' && !(onLoopback && url.protocol === 'http:')) return { refused: 'blocked' };
  const addresses = await addressesOf(host, signal, resolve);
  if (addresses.length === 0) return { refused: 'unresolved' };
  const isAllowed = onLoopback ? isLoopbackAddress : isPublicAddress;
  if (!addresses.every(({ address }) => isAllowed(address))) return { refused: 'blocked' };
  const reached = addresses.filter(({ family }) => onLoopback || family === 4);
  return reached.length > 0 ? { addresses: reached } : { refused: 'ipv6_only' };
}

/** A client waits for this lookup, so it takes much less time than a request may. */
const checkMs = 3000;

/** The messages contain no address. Otherwise a client could use them to query our DNS. */
const problems: Record<Unreachable, Constant> = {
  blocked: constant`must resolve to public addresses only, but its host has a private, local or reserved one`,
  unresolved: constant`must resolve to public addresses, but its host has no address: check the name`,
  ipv6_only: constant`must resolve to an IPv4 address, because webhooks are sent over IPv4; its host has only IPv6 addresses`,
};

/** Returns why a receiver's URL is refused, as a text that follows the name of the field; undefined if it is accepted. */
export async function addressProblem(url: string, resolve?: Resolve): Promise<Constant | undefined> {
  const resolved = await resolveReceiver(new URL(url), AbortSignal.timeout(checkMs), resolve);
  return 'refused' in resolved ? problems[resolved.refused] : undefined;
}
