import { address, customFields, person } from '../content.ts';
import type { Known } from './chapters.ts';

/** @param more fields that differ from the new registration */
const registrationStated = (updated_at: string, more: object = {}) => ({
  external_id: 'SEAT-1',
  reference: 'R-1',
  event: {
    id: 'EVENT 1',
    name: 'A meeting',
    starts_at: '2026-06-01T18:00:00Z',
    ends_at: '2026-06-01T20:00:00Z',
    timezone: 'Europe/Berlin',
    status: 'scheduled',
    location: { type: 'venue', name: 'A hall', address, url: 'https://example.com/hall' },
  },
  attendee: { ...person, company: 'Example Company', job_title: 'Engineer, Example' },
  ticket: { type_id: 'TYPE 1', type_name: 'Regular', price_amount: 1000, currency: 'EUR' },
  status: 'confirmed',
  registered_at: '2026-03-01T08:00:00Z',
  answers: [
    { question_id: 'Q 1', label: 'A text', value: 'An answer' },
    { question_id: 'Q 2', label: 'A number', value: 3 },
    { question_id: 'Q 3', label: 'A choice', value: true },
    { question_id: 'Q 4', label: 'A list', value: ['One', 'Two'] },
    { question_id: 'Q 5', label: 'Nothing' },
  ],
  custom_fields: customFields,
  updated_at,
  ...more,
});

export function registrationsChange(known: Known): object[] {
  const checkedIn = { ...known, attendance: 'checked_in', checked_in_at: '2026-03-08T08:02:00Z' };
  const cancelled = { ...checkedIn, status: 'cancelled', cancelled_at: '2026-03-08T08:03:00Z' };
  return [
    registrationStated('2026-03-08T08:00:00Z'),
    registrationStated('2026-03-08T08:01:00Z', known),
    registrationStated('2026-03-08T08:02:00Z', checkedIn),
    registrationStated('2026-03-08T08:03:00Z', cancelled),
  ];
}
