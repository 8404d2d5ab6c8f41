import { isDeepStrictEqual } from 'node:util';
import { blankContact, type Contact, type ContactFields } from '../../../lib/resources/contacts/fields.ts';

// The content of a contact follows from two numbers: its serial number in its account, and its revision, which counts the contents that
// were sent for it. Both are in the content, so any answer shows whether it is one that was sent, and nothing has to be remembered.

export const tagCount = 40;

/** Whether a contact has an external id. Half of them have one. */
export const isNamed = (serial: number): boolean => serial % 2 === 0;

export const externalIdOf = (serial: number): string => `soak-${serial}`;

export const emailOf = (serial: number): string => `person${serial}@example.com`;

export const tagOf = (serial: number, revision: number): string =>
  `tag-${(serial + 7 * revision) % tagCount}`;

export const contentOf = (serial: number, revision: number): ContactFields => ({
  ...blankContact,
  external_id: isNamed(serial) ? externalIdOf(serial) : null,
  email: emailOf(serial),
  first_name: 'Nayeli',
  last_name: 'Watsica',
  ...patchOf(serial, revision),
  custom_fields: { serial, revision },
});

/** What a PATCH to a revision sends. */
export const patchOf = (serial: number, revision: number) => ({
  tags: [tagOf(serial, revision)],
  note: `This is revision ${revision}.`,
  custom_fields: { revision },
});

/** The two numbers in a contact, if its content is exactly the one that follows from them. */
export function numbersIn(contact: Contact): { serial: number; revision: number } | undefined {
  const { id, version, created_at, updated_at, ...content } = contact;
  const { serial, revision } = contact.custom_fields;
  if (typeof serial !== 'number' || typeof revision !== 'number') return undefined;
  return isDeepStrictEqual(content, contentOf(serial, revision)) ? { serial, revision } : undefined;
}
