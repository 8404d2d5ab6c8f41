import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactNumberRule, isExact } from '../../../lib/values/exactNumber.ts';
import { workOf } from '../../support/work/textWork.ts';

describe('a number that keeps its value', () => {
  test.each([
    ...[
      '0',
      '-0',
      '0.0',
      '0e5',
      '-0.000e-999',
      '1',
      '-1',
      '1.50',
      '1e2',
      '1E+2',
      '100e-2',
      '0.1',
      '0.30',
      '1.5e-3',
    ],
    ...['9007199254740991', '-9007199254740991', '9007199254740992', '123456789012345e-7', '1e23', '1e308'],
    // As %.17g prints a double between two decimals.
    ...['900719925474099.12', '900719925474099.13'],
    // As PHP, PostgreSQL 11 and %.17g print 0.1, 0.7, pi and the smallest double, and Python's Decimal all digits of 0.1.
    ...['0.10000000000000001', '-0.69999999999999996', '3.1415926535897931', '4.9406564584124654e-324'],
    ...['1.0000000000000001e-1', '0.1000000000000000055511151231257827021181583404541015625'],
    ...['5e-324', '2.2250738585072014e-308', '1.7976931348623157e308', '0.30000000000000004', '1e-130'],
    ...[
      `1${'0'.repeat(300)}`,
      `0.${'0'.repeat(300)}1`,
      `0.${'0'.repeat(999)}1e1000`,
      `1${'0'.repeat(999)}e-999`,
    ],
  ])('%s', (literal) => {
    expect(isExact(literal)).toBe(true);
  });
});

describe('a number that would be rounded', () => {
  test.each([
    ...[
      '1e400',
      '-1e400',
      '1e-400',
      '-1e-400',
      '4e-324',
      '1.8e308',
      '1e99999999999999999999',
      '1e-99999999999999999999',
    ],
    ...[
      '9007199254740993',
      '9007199254740991.4',
      '-9007199254740991.4',
      '0.1000000000000000055511151231257828',
    ],
    ...['0.100000000000000012', '1.0000000000000000000001', '12345678901234567890', '3.14159265358979323846'],
    ...[`1${'0'.repeat(400)}`, `0.${'0'.repeat(400)}1`, `1${'0'.repeat(30)}1`],
  ])('%s', (literal) => {
    expect(isExact(literal)).toBe(false);
  });
});

/** What a decimal stands for, exactly: a multiple of the smallest one that is tried here. */
function exactly(decimal: string): bigint {
  const [mantissa = '', exponent = '0'] = decimal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length + 800);
}

const digits = (maxLength: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${maxLength}}$`));

/** The decimal of the same number of digits, and of 17 at least, that is the closest to the double of a text. */
function asPrinted(text: string): string {
  const digits = (text.toLowerCase().split('e')[0] as string).replace('.', '').replace(/^0+|0+$/g, '').length;
  return Number(text).toPrecision(Math.max(17, digits));
}

test('a number is accepted when its value is that of JSON.stringify, or of its double printed with 17 digits or more', () => {
  const literal = fc
    .tuple(digits(20), fc.option(digits(20)), fc.option(fc.integer({ min: -340, max: 330 })))
    .map(
      ([whole, fraction, exponent]) =>
        `${BigInt(whole)}${fraction === null ? '' : `.${fraction}`}${exponent === null ? '' : `e${exponent}`}`,
    );
  const isPrinted = (text: string) => exactly(asPrinted(text)) === exactly(text);
  fc.assert(
    fc.property(literal, (text) => {
      const again = JSON.stringify(JSON.parse(text));
      expect(isExact(text), text).toBe(
        again !== 'null' && (exactly(again) === exactly(text) || isPrinted(text)),
      );
    }),
    { numRuns: 3000 },
  );
});

test('every double is accepted as programs print it, with 17 digits and with more', () => {
  const double = fc.double({ noDefaultInfinity: true, noNaN: true });
  fc.assert(
    fc.property(double, fc.integer({ min: 17, max: 100 }), (value, digits) => {
      expect(isExact(value.toPrecision(digits))).toBe(true);
      expect(isExact(value.toExponential(16))).toBe(true);
    }),
    { numRuns: 3000 },
  );
});

test('every double is the same in all spellings of the shortest decimal that stands for it', () => {
  fc.assert(
    fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), fc.nat(20), (double, zeros) => {
      const [mantissa = '', exponent = '0'] = String(double).split('e');
      const point = mantissa.includes('.') ? '' : '.0';
      const moved = `${mantissa.replace('.', '')}e${Number(exponent) - (mantissa.split('.')[1] ?? '').length}`;
      for (const text of [String(double), `${mantissa}${point}${'0'.repeat(zeros)}e${exponent}`, moved])
        expect(isExact(text.replace(/^(-?)0+(?=\d)/, '$1')), text).toBe(true);
    }),
    { numRuns: 3000 },
  );
});

test.each([
  ['digits', (size: number) => '1'.repeat(size)],
  ['zeros', (size: number) => `1${'0'.repeat(size)}`],
  ['zeros after the point', (size: number) => `0.${'0'.repeat(size)}1`],
  ['an exponent', (size: number) => `1e${'9'.repeat(size)}`],
])('double the %s cost double the work, and no more', (_, literal) => {
  const [less, more] = [10_000, 20_000].map((size) => workOf(() => isExact(literal(size))).cost);
  expect(more).toBeLessThanOrEqual(2.2 * (less as number));
});

test.each(['1-2', '1.2.3', '1e', '01x'])('%s is no number, and JSON.parse says so', (literal) => {
  expect(isExact(literal)).toBe(true);
});

test('the rule names examples, and no range that the rule of a field would contradict', () => {
  const [kept, ...lost] = exactNumberRule.replace('IEEE 754', '').match(/\d[\d.e-]*/g) ?? [];
  expect(isExact(kept as string)).toBe(true);
  expect(lost.map(isExact)).toEqual([false, false]);
  expect(exactNumberRule).not.toMatch(/from|to \d|at least|at most/);
  expect(exactNumberRule).toMatch(/^must be a number that a double \(IEEE 754\) keeps as it is written/);
});
