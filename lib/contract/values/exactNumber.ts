// Numbers of JSON are decimals of any length, and most readers keep doubles (RFC 8259 § 6).

export const exactNumberRule =
  'must be a number that a double (IEEE 754) keeps as it is written, as 0.1 is kept, and not 9007199254740993 or 1e-400';

/**
 * Whether a double keeps the value of a number: whether the shortest decimal of its double, which JSON.stringify writes, has the
 * same value as the text. 1.50 and 15e-1 are kept; 1e400, 1e-400 and 0.10000000000000001 are not.
 * @param literal a number in a JSON text
 */
export const isExact = (literal: string): boolean =>
  normalForm(literal) === normalForm(String(Number(literal)));

/**
 * The digits of a number without the zeros around them, and the power of ten of the last of them. Reading keeps the sign, so
 * it is left out.
 * @returns undefined for Infinity
 */
function normalForm(decimal: string): string | undefined {
  const [, whole, fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(decimal) ?? [];
  if (whole === undefined) return undefined;
  const digits = whole + fraction;
  let [from, to] = [0, digits.length];
  while (digits[from] === '0') from += 1;
  while (to > from && digits[to - 1] === '0') to -= 1;
  if (from === to) return '0';
  return `${digits.slice(from, to)}e${Number(exponent) - fraction.length + digits.length - to}`;
}
