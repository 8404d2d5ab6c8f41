/** Typical bodies, for the examples. */
export const bodies = {
  createContact: {
    external_id: 'crm-1001',
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    phone: '+4930123456',
    address: { line1: 'Lohmühlenstraße 65', city: 'Berlin', postal_code: '12435', country: 'DE' },
    tags: ['newsletter', 'vip'],
    custom_fields: { plan: 'gold', points: 12 },
  },
  updateContact: {
    note: 'Prefers e-mail',
    phone: null,
    address: { line2: '3rd floor' },
    custom_fields: { points: 13, plan: null },
  },
  upsertContact: {
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    tags: ['newsletter', 'vip'],
    custom_fields: { plan: 'gold', points: 13 },
  },
  batchUpsertContacts: {
    contacts: [
      { external_id: 'crm-1001', email: 'ada@example.com', first_name: 'Ada', tags: ['vip'] },
      { external_id: 'crm-1002', phone: '+4930123456', last_name: 'Hopper' },
    ],
  },
};

/** Bodies with common mistakes, for the examples of 400. */
export const mistaken = {
  createContact: { email: 'ada(at)example.com', phone: '030 123456' },
  updateContact: { adress: { city: 'Berlin' } },
  upsertContact: { email: 'ada@example.com', tags: 'vip' },
  batchUpsertContacts: { contacts: [] },
};
