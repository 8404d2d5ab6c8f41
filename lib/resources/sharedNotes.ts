import type { Address } from '../values/addresses.ts';
import type { CustomFields } from '../values/shared.ts';
import type { Notes } from './notes.ts';

export const addressNotes: Notes<Address> = {
  line1: ['Street and number.', 'Lohmühlenstraße 65'],
  line2: ['Further details, such as a floor or a building.', '3rd floor'],
  city: ['The city or town.', 'Berlin'],
  region: ['The state, province or county.', 'Berlin'],
  postal_code: ['The postal code, as it is usually written in the country.', '12435'],
  country: ['The country, as a code of two letters of ISO 3166-1 alpha-2.', 'DE'],
};

export const customFieldsExample: CustomFields = { plan: 'gold', points: 12, invited: true };

/** Returns the notes of the fields that the server writes. @param thing the resource that has them */
export const serverNotes = (thing: string) =>
  ({
    version: [
      `The version of the ${thing}. It starts at 1 and grows by one with every change. It is also the ETag.`,
      1,
    ],
    created_at: [`When the ${thing} was created here.`, '2026-03-01T09:30:00.000Z'],
    updated_at: [`When the ${thing} was last changed here.`, '2026-03-01T09:30:00.000Z'],
  }) as const;

/** Describes the values of a time-zone field. */
export const timezoneName = 'its name in the IANA database, such as Europe/Berlin';

/** Explains the unit of amounts. */
export const minorUnits =
  'Amounts count the minor unit of ISO 4217: 4200 is EUR 42.00, JPY 4200 and KWD 4.200. A code without a minor unit, such as XAU, counts whole units.';
