// Postal addresses of contacts and snapshots.
import type * as z from 'zod';
import { country } from './fields.ts';
import { completed, object, orNull } from './structure.ts';
import { line, snapshotText, word } from './texts.ts';

export const address = () =>
  object({
    line1: orNull(line()),
    line2: orNull(line()),
    city: orNull(line()),
    region: orNull(line()),
    postal_code: orNull(word()),
    country: orNull(country()),
  });

export type Address = z.output<ReturnType<typeof address>>;

export const blankAddress = {
  line1: null,
  line2: null,
  city: null,
  region: null,
  postal_code: null,
  country: null,
} satisfies Address;

/** Replaces an address without any part by `null`. */
const orNone = (address: Address): Address | null =>
  Object.values(address).some((part) => part !== null) ? address : null;

/** A postal address in a request, where parts may be left out. */
export const addressDraft = () => completed(address(), blankAddress).transform(orNone);

/** A merge patch of an address (RFC 7396): omitted parts stay, and `null` clears one. */
export const addressPatch = () => address().partial();

/** The address of an order or of an event, as somebody typed it. */
export const snapshotAddress = () =>
  object({
    line1: orNull(snapshotText()),
    line2: orNull(snapshotText()),
    city: orNull(snapshotText()),
    region: orNull(snapshotText()),
    postal_code: orNull(snapshotText()),
    country: orNull(snapshotText()),
  });

export const snapshotAddressDraft = () => completed(snapshotAddress(), blankAddress).transform(orNone);

export function patchedAddress(
  current: Address | null,
  patch: z.output<ReturnType<typeof addressPatch>> | null | undefined,
): Address | null {
  if (!patch) return patch === undefined ? current : null;
  return orNone({ ...blankAddress, ...current, ...patch } as Address);
}
