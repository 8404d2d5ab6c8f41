// Numbers of JSON are decimals of any length, and most readers keep doubles (RFC 8259 § 6).

export const exactNumberRule =
  'must be a number that a double (IEEE 754) keeps as it is written, as 0.1 is kept, and not 9007199254740993 or 1e-400';

/**
 * Whether a double keeps the value of a number: whether the text is a way to write its double. JSON.stringify writes the shortest
 * decimal that no other double has. Other programs write 17 digits, as PHP and `%.17g` of C, or all of them: 0.10000000000000001 is
 * 0.1 to them. 1.50 and 15e-1 are kept, too; 1e400, 1e-400 and 9007199254740993 are not.
 * @param literal a number in a JSON text
 */
export function isExact(literal: string): boolean {
  const value = Number(literal);
  const written = normalForm(literal);
  return [String(value), printed(value, written), printedEven(value, written)].some(
    (one) => written === normalForm(one),
  );
}

/** The most digits that toPrecision writes. */
const precisionMax = 100;

/** As many digits as a text has, and 17 at least: fewer may be those of a text that was rounded. */
const digitsOf = (written = '0'): number => Math.min(precisionMax, Math.max(17, written.indexOf('e')));

const printed = (value: number, written?: string): string => value.toPrecision(digitsOf(written));

/** As C prints a double that is in the middle between two decimals: where JavaScript rounds up, C takes the even one. */
function printedEven(value: number, written?: string): string {
  const digits = digitsOf(written) + 1;
  if (digits > precisionMax) return String(value);
  const whole = value.toPrecision(digits);
  const isMiddle = normalForm(whole) === normalForm(value.toPrecision(precisionMax));
  return isMiddle ? whole.replace(/(?<=[02468]\.?)5(?=e|$)/, '0') : whole;
}

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
