import { append } from '../../../lib/records/commitQueue/append.ts';
import { newDraft } from '../../../lib/records/recordItem.ts';
import { inAccount } from '../../../lib/records/recordKeys.ts';
import type { Content } from '../../../lib/resources/collection.ts';
import { type Contact, contacts } from '../../../lib/resources/contacts.ts';

/** A contact of about 400 bytes in the database. All have the same size, so that pages can be compared. */
export function contactAt(i: number): Content<Contact> {
  const digits = String(i).padStart(7, '0');
  return {
    ...contacts.blank,
    email: `person${digits}@example.com`,
    first_name: 'Nayeli',
    last_name: 'Watsica',
    phone: `+49300${digits}`,
    company: 'Hayes Glens Ltd',
    address: {
      line1: '2840 Hayes Glens',
      line2: null,
      city: 'Fort Ethelboro',
      region: 'New Mexico',
      postal_code: '74099',
      country: 'GB',
    },
    locale: 'nl-NL',
    timezone: 'Europe/London',
    tags: ['customer', 'newsletter'],
  };
}

/** The contacts of ten transactions: so the memory of a bulk create does not grow with its size. */
const chunk = 990;

/** Creates a number of contacts in an account by the product's own bulk create. */
export async function givenManyContacts(account: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += chunk) {
    const size = Math.min(chunk, count - from);
    await append(
      inAccount(contacts, account),
      Array.from({ length: size }, (_, i) => newDraft(contacts, contactAt(from + i))),
    );
  }
}

/** How many records a bench works on: a default, or the value of an environment variable. */
export function sizeFrom(variable: string, size: number): number {
  const text = process.env[variable] ?? String(size);
  const isSize = /^\d{2,7}$/.test(text) && Number(text) >= sizeMin;
  if (!isSize) {
    console.error(`${variable} must be a number from ${sizeMin} to 9999999, and is "${text}"`);
    process.exit(1);
  }
  return Number(text);
}

/** More than a page. */
const sizeMin = 100;
