import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { env, optional } from '../../env.ts';
import { type Constant, constant } from '../../errors/constant.ts';
import { hostOf, isLoopbackHost } from '../../values/receiverUrl.ts';

export type { LookupAddress };

/** Looks up the addresses of a name. */
export type Resolve = (name: string) => Promise<LookupAddress[]>;

const resolveAll: Resolve = (name) => lookup(name, { all: true });

/** A host that has an address which is not public, or may have one. */
export class BlockedAddressError extends Error {
  constructor() {
    super('The host does not lead to public addresses only');
    this.name = 'BlockedAddressError';
  }
}

/** A name without an address. `cause` has the reason. */
export class UnresolvedError extends Error {
  constructor(cause?: unknown) {
    super('The host has no address', { cause });
    this.name = 'UnresolvedError';
  }
}

/** A public host that cannot be reached: a Lambda outside a VPC sends no IPv6. */
export class Ipv6OnlyError extends Error {
  constructor() {
    super('The host has addresses of IPv6 only, and webhooks are sent over IPv4');
    this.name = 'Ipv6OnlyError';
  }
}

/** The global unicast addresses of IPv6. https://www.iana.org/assignments/ipv6-address-space */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** The address in a text; undefined for short, octal or hexadecimal forms of IPv4, and for anything else. */
const parsed = (text: string) =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text) ? ipaddr.parse(text) : undefined;

/**
 * Whether this is a unicast address of the public internet. IPv6 that carries IPv4 (mapped, NAT64, 6to4, Teredo) is refused,
 * because the network decides where it leads.
 */
export function isPublicAddress(address: string): boolean {
  const ip = parsed(address);
  if (ip?.range() !== 'unicast') return false;
  // The library returns "unicast" for every range that it does not know.
  return ip.kind() === 'ipv4' || ip.match(globalUnicast);
}

const isLoopbackAddress = (address: string): boolean => parsed(address)?.range() === 'loopback';

/** Whether webhooks may go to 127.0.0.1 and localhost. */
export const loopbackAllowed = (): boolean => optional(env.allowLoopbackReceivers) === '1';

/** Rejects when the signal aborts. The lookup that it races goes on, because a lookup cannot be stopped. */
const timeUp = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

async function addressesOf(host: string, signal: AbortSignal, resolve: Resolve): Promise<LookupAddress[]> {
  const ip = parsed(host);
  if (ip) return [{ address: host, family: ip.kind() === 'ipv4' ? 4 : 6 }];
  const addresses = await Promise.race([resolve(host), timeUp(signal)]).catch((error) => {
    throw new UnresolvedError(error);
  });
  if (addresses.length === 0) throw new UnresolvedError();
  return addresses;
}

/**
 * The addresses that a webhook may connect to. It must connect without another lookup: that could return other addresses.
 * @throws BlockedAddressError unless every address is public, or the URL is on loopback and that is allowed
 * @throws Ipv6OnlyError when none of the addresses is of IPv4, except on loopback
 * @throws UnresolvedError when the name has no address, or the signal aborts before one is found
 */
export async function resolveReceiver(
  url: URL,
  signal: AbortSignal,
  resolve: Resolve = resolveAll,
): Promise<LookupAddress[]> {
  const host = hostOf(url);
  const onLoopback = isLoopbackHost(host) && loopbackAllowed();
  if (url.protocol !== 'https:' && !(onLoopback && url.protocol === 'http:')) throw new BlockedAddressError();
  const addresses = await addressesOf(host, signal, resolve);
  const isAllowed = onLoopback ? isLoopbackAddress : isPublicAddress;
  if (!addresses.every(({ address }) => isAllowed(address))) throw new BlockedAddressError();
  if (onLoopback) return addresses;
  const reached = addresses.filter(({ family }) => family === 4);
  if (reached.length === 0) throw new Ipv6OnlyError();
  return reached;
}

/** A client waits for this lookup, so it takes much less than a request may. */
const checkMs = 3000;

/**
 * Why a receiver's URL is refused, to be read after the name of the field; undefined when it is accepted. It never contains an
 * address: a client could query our DNS through it.
 */
export async function addressProblem(url: string, resolve?: Resolve): Promise<Constant | undefined> {
  try {
    await resolveReceiver(new URL(url), AbortSignal.timeout(checkMs), resolve);
    return undefined;
  } catch (error) {
    if (error instanceof BlockedAddressError)
      return constant`must lead to public addresses only; its host leads to a private, local or reserved one`;
    if (error instanceof UnresolvedError)
      return constant`must lead to public addresses; its host has no address: check the name`;
    if (error instanceof Ipv6OnlyError)
      return constant`must lead to an address of IPv4; its host has addresses of IPv6 only, and webhooks are sent over IPv4`;
    throw error;
  }
}
