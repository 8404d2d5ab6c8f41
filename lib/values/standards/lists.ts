// Code lists of others. None is asked of the runtime: what ICU knows depends on the release of Node.
import { assignedCountries, formerCountries, reservedPlaces, twiceFormer } from './countries.ts';
import { activeCurrencies, withdrawnCurrencies } from './currencies.ts';
import { timezoneAreas } from './timezones.ts';

/** Made when it is first asked for: most functions never do, and those without such a field do not have the list. */
const once = <Value>(make: () => Value): (() => Value) => {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

const countries = /* @__PURE__ */ once(() => {
  // A code of three letters that was given anew means the country of today.
  const pairs = [formerCountries, assignedCountries].join(' ').split(' ');
  const places = [...reservedPlaces.split(' '), twiceFormer];
  return new Map([
    ...pairs.flatMap((pair) =>
      [pair.slice(0, 2), pair.slice(2)].map((code) => [code, pair.slice(0, 2)] as const),
    ),
    ...places.map((code) => [code, code] as const),
    // Codes that the United Kingdom and the European Union use instead.
    ['UK', 'GB'],
    ['EL', 'GR'],
  ]);
});

/** Letters of ASCII in capitals. Others can become them: ß becomes SS. */
const inCapitals = (code: string): string => (/^[a-z]{2,3}$/i.test(code) ? code.toUpperCase() : '');

/** The code of two letters of a country, for a code of two or three in any case. */
export const countryOf = (code: string): string | undefined => countries().get(inCapitals(code));

const currencies = /* @__PURE__ */ once(
  () =>
    new Set([activeCurrencies, withdrawnCurrencies].flatMap((by) => Object.values(by).join(' ').split(' '))),
);

/** The code of a currency, for one in any case. */
export function currencyOf(code: string): string | undefined {
  const written = inCapitals(code);
  return currencies().has(written) ? written : undefined;
}

/** The names of the time zones by themselves in lower case: no two of them differ in case alone. */
const timezones = /* @__PURE__ */ once(
  () =>
    new Map(
      timezoneAreas
        .split('\n')
        .flatMap(namesIn)
        .map((name) => [name.toLowerCase(), name]),
    ),
);

/** The name of a time zone as the database writes it, for one in any case. */
export const timezoneOf = (name: string): string | undefined =>
  timezones().get(/^[\0-\x7f]*$/.test(name) ? name.toLowerCase().replaceAll(' ', '_') : '');

function namesIn(line: string): string[] {
  const [area, ...names] = line.split(' ');
  return area === '-' ? names : names.map((name) => `${area}/${name}`);
}
