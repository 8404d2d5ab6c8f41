import { blankAddress } from '../../values/addresses.ts';
import type { Collection, Transitions } from '../collection.ts';
import { blankContact, type Contact } from './fields.ts';

export const contacts: Collection<Contact, 'contact'> = {
  type: 'contact',
  prefix: 'con',
  readScope: 'contacts:read',
  layout: {
    id: null,
    external_id: null,
    email: null,
    first_name: null,
    last_name: null,
    phone: null,
    company: null,
    job_title: null,
    address: blankAddress,
    locale: null,
    timezone: null,
    tags: null,
    note: null,
    custom_fields: 'by name',
    version: null,
    created_at: null,
    updated_at: null,
  },
  blank: blankContact,
  filters: {
    values: [
      {
        name: 'email',
        valuesOf: ({ email }) => [email],
        fold: (email) => email.toLowerCase(),
        isSelective: true,
      },
      { name: 'phone', valuesOf: ({ phone }) => [phone], isSelective: true },
      { name: 'tag', valuesOf: ({ tags }) => tags },
    ],
    times: [],
  },
};

export const contactTransitions = [] as const satisfies Transitions<Contact, 'contact'>;
