import { faker } from '@faker-js/faker/locale/en';
import { type StatedResource, statements } from '../../../lib/contract/inbox.ts';
import { collectionOf, toEntry } from '../../../lib/inbox/resources.ts';
import { append } from '../../../lib/records/create/append.ts';
import { newDraft, recordAt } from '../../../lib/records/create/draft.ts';
import type { DraftOutcome } from '../../../lib/records/create/outcomes.ts';
import type { Stored } from '../../../lib/resources/collection.ts';

// The records of a small event organiser: contacts, orders and registrations. They are the same on every machine; only
// the times are always in the last months.

const contactCount = 240;
const orderCount = 320;
const registrationCount = 280;

/** Creates the demo records of an account. Existing ones are not changed, because people may have edited them. */
export async function seed(account: string): Promise<void> {
  faker.seed(20260301);
  const people = times(contactCount, person);
  const contacts = await store('contacts', account, people.map(contact));
  const events = times(6, event);
  const purchases = times(orderCount, (i) => order(i, ...buyer(people, contacts)));
  const orders = await store('orders', account, purchases);
  const registrations = times(registrationCount, (i) =>
    registration(
      i,
      ...buyer(people, contacts),
      faker.helpers.arrayElement(events),
      orders[i % orderCount] as string,
    ),
  );
  await store('event-registrations', account, registrations);
}

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** Creates the drafts whose external ids no record has yet. @returns the ids of all, in the same order */
async function store(
  resource: StatedResource,
  account: string,
  drafts: readonly object[],
): Promise<string[]> {
  const collection = collectionOf(resource);
  const wanted = drafts.map((draft) =>
    newDraft<Stored>(toEntry(statements[resource]().parse(draft)).content),
  );
  const appended = await append(collection, account, wanted);
  return wanted.map((draft) => {
    const outcome = appended.get(draft) as Exclude<DraftOutcome, { kind: 'repeated' }>;
    return outcome.kind === 'taken' ? outcome.by : recordAt(collection, draft, outcome).id;
  });
}

type Person = ReturnType<typeof person>;

const maybe = <T>(probability: number, make: () => T): T | null =>
  faker.helpers.maybe(make, { probability }) ?? null;

const past = (days: number): Date => faker.date.recent({ days });
const later = (time: Date, minutes: number): string =>
  new Date(time.getTime() + minutes * 60_000).toISOString();

function person() {
  const [first_name, last_name] = [faker.person.firstName(), faker.person.lastName()];
  const email = faker.internet.email({ firstName: first_name, lastName: last_name, provider: 'example.com' });
  return { first_name, last_name, email: email.toLowerCase(), phone: `+4930${faker.string.numeric(7)}` };
}

const buyer = (people: Person[], contacts: string[]): [who: Person, contactId: string] => {
  const i = faker.number.int({ max: people.length - 1 });
  return [people[i] as Person, contacts[i] as string];
};

function address() {
  return {
    line1: faker.location.streetAddress(),
    city: faker.location.city(),
    region: faker.location.state(),
    postal_code: faker.location.zipCode('#####'),
    country: faker.helpers.arrayElement(['US', 'GB', 'DE', 'NL']),
  };
}

const contact = (who: Person, i: number) => ({
  ...who,
  external_id: `demo-${1001 + i}`,
  company: maybe(0.5, () => faker.company.name()),
  job_title: maybe(0.4, () => faker.person.jobTitle()),
  address: maybe(0.7, address),
  locale: faker.helpers.arrayElement(['en-US', 'en-GB', 'de-DE', 'nl-NL']),
  timezone: faker.helpers.arrayElement([
    'America/New_York',
    'Europe/London',
    'Europe/Berlin',
    'Europe/Amsterdam',
  ]),
  tags: faker.helpers.arrayElements(['customer', 'newsletter', 'speaker', 'member', 'vip'], {
    min: 0,
    max: 2,
  }),
  note: maybe(0.2, () => faker.lorem.sentence()),
  custom_fields: maybe(0.3, () => ({
    loyalty_points: faker.number.int({ max: 900 }),
    wheelchair: faker.datatype.boolean(0.1),
  })),
});

function order(i: number, customer: Person, contact_id: string) {
  const line_items = times(faker.number.int({ min: 1, max: 4 }), (n) => {
    const [quantity, unit_amount] = [
      faker.number.int({ min: 1, max: 3 }),
      faker.number.int({ min: 4, max: 120 }) * 100,
    ];
    return {
      id: String(n + 1),
      type: faker.helpers.arrayElement(['product', 'ticket']),
      sku: faker.string.alphanumeric({ length: 8, casing: 'upper' }),
      name: faker.commerce.productName(),
      quantity,
      unit_amount,
      total_amount: quantity * unit_amount,
    };
  });
  const subtotal_amount = line_items.reduce((sum, { total_amount }) => sum + total_amount, 0);
  const total_amount = subtotal_amount + 490;
  const cancelled = faker.datatype.boolean(0.05);
  const paid = !cancelled && faker.datatype.boolean(0.85);
  const placed = past(300);
  return {
    external_id: `shop-${50_001 + i}`,
    number: `A-${10_001 + i}`,
    contact_id,
    customer,
    status: cancelled ? 'cancelled' : paid ? 'completed' : 'confirmed',
    payment_status: cancelled ? 'voided' : paid ? 'paid' : 'unpaid',
    fulfillment_status: paid ? 'fulfilled' : 'unfulfilled',
    currency: faker.helpers.arrayElement(['USD', 'EUR', 'GBP']),
    subtotal_amount,
    shipping_amount: 490,
    tax_amount: Math.round(total_amount * 0.19),
    total_amount,
    paid_amount: paid ? total_amount : 0,
    tax_included: true,
    line_items,
    billing_address: maybe(0.8, address),
    placed_at: placed.toISOString(),
    paid_at: paid ? later(placed, 3) : null,
    cancelled_at: cancelled ? later(placed, 600) : null,
  };
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
  order_id: string,
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
    ...attendance(i, visited),
    registered_at: past(60).toISOString(),
    answers: maybe(0.4, () => [
      { question_id: 'diet', label: 'Dietary needs', value: faker.helpers.arrayElement(['vegan', 'none']) },
    ]),
  };
}

/** One in five did not come. */
const attendance = (i: number, { status, starts_at }: ReturnType<typeof event>) =>
  status === 'scheduled'
    ? {}
    : i % 5 === 0
      ? { attendance: 'no_show' }
      : { attendance: 'checked_in', checked_in_at: later(new Date(starts_at), -10) };
