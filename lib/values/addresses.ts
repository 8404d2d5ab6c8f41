// Postal addresses: of a contact, and of a snapshot.
import type * as z from 'zod';
import { country } from './fields.ts';
import { completed, emptyOr, object, orNull } from './structure.ts';
import { narrow } from './texts/characters.ts';
import { bare } from './texts/normalized.ts';
import { multilineText, snapshotLines, snapshotText, snapshotWord, text } from './texts/texts.ts';

const lineMax = 200;

/** A street as it is sent: two lines, and a line break. */
const streetMax = 2 * lineMax + 1;

export const streetRule = `must be a string of 1 to ${lineMax} characters, or lines that fit into line1 and line2 with so many each`;

/** A postal address in an answer, with all six parts. */
export const address = () =>
  object({
    line1: orNull(text(lineMax)),
    line2: orNull(text(lineMax)),
    city: orNull(text(100)),
    region: orNull(text(100)),
    postal_code: orNull(text(20)),
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

/** People write a street in several lines. `stored` makes two of them. */
const addressInput = () =>
  address().extend({ line1: orNull(multilineText(streetMax, { rule: streetRule })) });

/** A postal address as it is sent: parts may be left out. */
export const addressDraft = () => emptyOr(completed(addressInput(), blankAddress).transform(storable));

/** A merge patch of an address (RFC 7396): a part that is left out stays, `null` clears it. */
export const addressPatch = () => emptyOr(addressInput().partial());

/** The address of an order or of an event, as it was typed. */
export const snapshotAddress = () =>
  object({
    line1: orNull(snapshotText(lineMax)),
    line2: orNull(snapshotText(lineMax)),
    city: orNull(snapshotText(255)),
    region: orNull(snapshotText(255)),
    postal_code: orNull(snapshotText(50)),
    country: orNull(snapshotWord(100).overwrite(inUsualCase)),
  });

const inUsualCase = (country: string): string =>
  /^[a-z]{2}$/i.test(narrow(country)) ? narrow(country).toUpperCase() : country;

export const snapshotAddressDraft = () =>
  emptyOr(
    completed(
      snapshotAddress().extend({ line1: orNull(snapshotLines(streetMax, { rule: streetRule })) }),
      blankAddress,
    ).transform(storable),
  );

function storable(parts: Address, { issues }: z.RefinementCtx): Address | null {
  const address = stored(parts);
  if (!hasFittingStreet(address))
    issues.push({ code: 'custom', message: streetRule, path: ['line1'], input: parts.line1 });
  return address;
}

/** An address after a patch. Several lines in one text are the whole street, so they replace the second line, too. */
export function patchedAddress(
  current: Address | null,
  patch: z.output<ReturnType<typeof addressPatch>> | null | undefined,
): Address | null {
  if (!patch) return patch === undefined ? current : null;
  const isWhole = linesOf(patch.line1 ?? null).length > 1;
  return stored({ ...blankAddress, ...current, ...(isWhole && { line2: null }), ...patch } as Address);
}

/** The lines of a street that was sent in one text. */
const linesOf = (street: string | null): string[] =>
  (street ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => bare(line) !== '');

/**
 * An address as it is stored: the first line of a street, and the others in the second part, or joined by commas where that is taken.
 * @returns `null` for an address without any part
 */
function stored(parts: Address): Address | null {
  const [first = null, ...more] = linesOf(parts.line1);
  const withFirst = { ...parts, line1: first };
  if (more.length === 0) return Object.values(withFirst).some((part) => part !== null) ? withFirst : null;
  const { line2 } = parts;
  const rest = joined(more);
  if (line2 === null && !fits(rest)) return { ...parts, ...inTwo([first as string, ...more]) };
  if (line2 === null || line2 === rest) return { ...parts, line1: first, line2: rest };
  const whole = joined([first as string, ...more]);
  if (fits(whole)) return { ...parts, line1: whole };
  return { ...parts, line1: first, line2: joined([...more, line2]) };
}

/** As many lines in the first part as it takes, and the others in the second. */
function inTwo(lines: readonly string[]): Pick<Address, 'line1' | 'line2'> {
  const counts = lines.map((_, i) => i + 1);
  const count = counts.findLast((one) => fits(joined(lines.slice(0, one)))) ?? 1;
  return { line1: joined(lines.slice(0, count)), line2: joined(lines.slice(count)) || null };
}

const fits = (line: string | null): boolean => [...(line ?? '')].length <= lineMax;

/** Whether the lines of a street that was sent in one text are as long as they may be. */
export const hasFittingStreet = (address: Address | null): boolean =>
  fits(address?.line1 ?? null) && fits(address?.line2 ?? null);

/** With a comma each, the lines may be longer than they were. */
const joined = (lines: readonly string[]): string => {
  const text = lines.join(', ');
  return fits(text) ? text : lines.join(' ');
};
