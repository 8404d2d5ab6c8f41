import { faker } from '@faker-js/faker/locale/en';
import { address, later, maybe, type Person, past, someone, times, type World } from './values.ts';

const count = 280;

export function eventRegistrations(world: World) {
  const events = times(6, event);
  const orders = world.ids.order ?? [];
  return times(count, (i) =>
    registration(i, ...someone(world), faker.helpers.arrayElement(events), orders[i % orders.length] ?? null),
  );
}

/** The first events took place in the last month. */
const pastEvents = 2;

function event(i: number) {
  const isOver = i < pastEvents;
  const starts = isOver ? past(30) : faker.date.soon({ days: 120 });
  return {
    id: `event-${i + 1}`,
    name: `${faker.company.buzzNoun()} ${faker.helpers.arrayElement(['Summit', 'Meetup', 'Workshop', 'Days'])}`,
    starts_at: starts.toISOString(),
    ends_at: later(starts, 480),
    timezone: 'Europe/Berlin',
    status: isOver ? 'completed' : 'scheduled',
    location: { type: 'venue', name: `${faker.location.city()} Hall`, address: address() },
  };
}

function registration(
  i: number,
  { email, first_name, last_name, phone }: Person,
  contact_id: string,
  visited: ReturnType<typeof event>,
  order_id: string | null,
) {
  return {
    external_id: `seat-${90_001 + i}`,
    reference: faker.string.alphanumeric({ length: 6, casing: 'upper' }),
    event: visited,
    contact_id,
    attendee: { email, first_name, last_name, phone },
    ticket: { type_id: 'regular', type_name: 'Regular', price_amount: 4900, currency: 'EUR' },
    order_id,
    status: faker.helpers.arrayElement(['confirmed', 'confirmed', 'confirmed', 'waitlisted', 'pending']),
    ...(visited.status === 'completed'
      ? { attendance: 'checked_in', checked_in_at: later(new Date(visited.starts_at), -10) }
      : {}),
    registered_at: past(60).toISOString(),
    answers: maybe(0.4, () => [
      { question_id: 'diet', label: 'Dietary needs', value: faker.helpers.arrayElement(['vegan', 'none']) },
    ]),
  };
}
