import { faker } from '@faker-js/faker/locale/en';
import type { ResourceType } from '../../../../lib/resources/index.ts';

export interface World {
  people: readonly Person[];
  /** The ids of the records that already exist, by type. */
  ids: Partial<Record<ResourceType, readonly string[]>>;
}

export type Person = ReturnType<typeof person>;

export const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

export const maybe = <T>(probability: number, make: () => T): T | null =>
  faker.helpers.maybe(make, { probability }) ?? null;

export const past = (days: number): Date => faker.date.recent({ days });
export const later = (time: Date, minutes: number): string =>
  new Date(time.getTime() + minutes * 60_000).toISOString();

/** How many contacts there are. Each is a person. */
const contactCount = 240;

export const makePeople = (): Person[] => times(contactCount, person);

function person() {
  const [first_name, last_name] = [faker.person.firstName(), faker.person.lastName()];
  const email = faker.internet.email({ firstName: first_name, lastName: last_name, provider: 'example.com' });
  return { first_name, last_name, email: email.toLowerCase(), phone: `+4930${faker.string.numeric(7)}` };
}

/** Returns one of the people, and the id of the contact. */
export function someone({ people, ids }: World): [who: Person, contactId: string] {
  const i = faker.number.int({ max: people.length - 1 });
  return [people[i] as Person, ids.contact?.[i] as string];
}

export function address() {
  return {
    line1: faker.location.streetAddress(),
    city: faker.location.city(),
    region: faker.location.state(),
    postal_code: faker.location.zipCode('#####'),
    country: faker.helpers.arrayElement(['US', 'GB', 'DE', 'NL']),
  };
}
