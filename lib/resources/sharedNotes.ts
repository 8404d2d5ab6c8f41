import type { Address } from '../schemas/addresses.ts';
import type { CustomFields } from '../schemas/shared.ts';
import type { Notes } from './notes.ts';

export const addressNotes: Notes<Address> = {
  line1: ['Street and number.', 'Lohmühlenstraße 65'],
  line2: ['Further details, such as a floor or a building.', '3rd floor'],
  city: ['The city or town.', 'Berlin'],
  region: ['The state, province or county.', 'Berlin'],
  postal_code: ['The postal code, in the usual format of the country.', '12435'],
  country: ['The ISO 3166-1 alpha-2 code of the country (two letters).', 'DE'],
};

export const customFieldsExample: CustomFields = { plan: 'gold', points: 12, invited: true };

/** Returns the notes of the fields that the server writes. @param thing the resource that has them */
export const serverNotes = (thing: string) =>
  ({
    version: [
      `The version of the ${thing}, which starts at 1 and increases by one with every change. It is also the ETag.`,
      1,
    ],
    created_at: [`When the ${thing} was created in this API.`, '2026-03-01T09:30:00.000Z'],
    updated_at: [`When the ${thing} was last changed in this API.`, '2026-03-01T09:30:00.000Z'],
  }) as const;

/** Describes the values of a time-zone field. */
export const timezoneName = 'its name in the IANA database, such as Europe/Berlin';

/** Explains the unit of amounts. */
export const minorUnits =
  'Amounts are in the currency’s minor unit as ISO 4217 defines it: 4200 is EUR 42.00, JPY 4200 or KWD 4.200. For a code without a minor unit, such as XAU, amounts are in whole units.';
