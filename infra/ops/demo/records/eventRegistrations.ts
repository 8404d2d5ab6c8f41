import { faker } from '@faker-js/faker/locale/en';
import { later, type Person, past, someone, times, type World } from './demoValues.ts';

const count = 200;

export function eventRegistrations(world: World) {
  const events = times(6, event);
  return times(count, (i) => registration(i, ...someone(world), faker.helpers.arrayElement(events)));
}

function event(i: number) {
  const starts = faker.date.soon({ days: 120 });
  return {
    id: `event-${i + 1}`,
    name: `${faker.company.buzzNoun()} ${faker.helpers.arrayElement(['Summit', 'Meetup', 'Workshop', 'Days'])}`,
    starts_at: starts.toISOString(),
    ends_at: later(starts, 480),
    timezone: 'Europe/Berlin',
    status: 'scheduled',
  };
}

function registration(i: number, who: Person, contact_id: string, visited: ReturnType<typeof event>) {
  return {
    external_id: `seat-${90_001 + i}`,
    reference: faker.string.alphanumeric({ length: 6, casing: 'upper' }),
    event: visited,
    contact_id,
    attendee: who,
    ticket: { type_id: 'regular', type_name: 'Regular', price_amount: 4900, currency: 'EUR' },
    status: faker.helpers.arrayElement(['confirmed', 'confirmed', 'confirmed', 'waitlisted', 'pending']),
    registered_at: past(60).toISOString(),
  };
}
