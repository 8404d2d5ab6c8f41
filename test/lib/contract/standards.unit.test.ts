import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { minorUnits } from '../../../lib/resources/sharedNotes.ts';
import { country, currency } from '../../../lib/values/fields.ts';
import { assignedCountries, formerCountries } from '../../../lib/values/standards/countries.ts';
import { activeCurrencies, withdrawnCurrencies } from '../../../lib/values/standards/currencies.ts';

const codesOf = (by: Record<string, string>) => Object.values(by).flatMap((codes) => codes.split(' '));

describe('a currency', () => {
  const [active, withdrawn] = [codesOf(activeCurrencies), codesOf(withdrawnCurrencies)];

  test('is one of the 178 codes of list one, or of the 129 of list three that were not given anew', () => {
    expect([new Set(active).size, new Set(withdrawn).size]).toEqual([178, 129]);
    expect(new Set([...active, ...withdrawn]).size).toBe(307);
  });

  test.each([...active, ...withdrawn, ...Intl.supportedValuesOf('currency')])('%s is taken', (code) => {
    expect(currency().parse(` ${code.toLowerCase()} `)).toBe(code);
  });

  // What Java has as ISO's, from a list of another time.
  test.each(
    Object.entries({ CLP: 0, JPY: 0, EUR: 2, VED: 2, BHD: 3, CLF: 4, UYW: 4, XAU: 'none', XXX: 'none' }),
  )('the minor unit of %s has %s digits', (code, digits) => {
    expect(activeCurrencies[digits as keyof typeof activeCurrencies].split(' ')).toContain(code);
  });

  test('docs/api.md says the same of minor units as the document', () => {
    expect(readFileSync('docs/api.md', 'utf8').replaceAll('\n', ' ')).toContain(minorUnits);
  });

  test.each(['', 'EU', 'EURO', '978', '€', 'RMB', 'BTC', 'ABC', 'ßU', 'constructor'])(
    '%j is none',
    (code) => {
      expect(currency().safeParse(code).success).toBe(false);
    },
  );
});

describe('a country', () => {
  test('is one of the 249 countries of ISO 3166-1, Kosovo, or one that was', () => {
    expect(assignedCountries.split(' ')).toHaveLength(250);
    expect(formerCountries.split(' ')).toHaveLength(24);
  });

  // ATF was Antarctic territory of France twice: it is TF today.
  const former = formerCountries.split(' ').filter((pair) => pair !== 'FQATF');
  test.each([...assignedCountries.split(' '), ...former])('%s: both codes', (pair) => {
    const code = pair.slice(0, 2);
    expect([country().parse(code), country().parse(pair.slice(2).toLowerCase())]).toEqual([code, code]);
  });

  test.each([
    ['xk', 'XK'],
    ['AC', 'AC'],
    ['UK', 'GB'],
    ['EL', 'GR'],
  ])('%s is %s', (sent, stored) => {
    expect(country().parse(sent)).toBe(stored);
  });

  test.each(['', 'EU', 'EZ', 'UN', 'ZZ', 'XX', 'AA', '276', 'Germany', 'ß', 'ﬁ', 'DEUT'])(
    '%j is none',
    (code) => {
      expect(country().safeParse(code).success).toBe(false);
    },
  );
});
