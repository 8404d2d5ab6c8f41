import { faker } from '@faker-js/faker/locale/en';
import { address, maybe, type Person, type World } from './demoValues.ts';

export const contacts = ({ people }: World) => people.map(contact);

const contact = (who: Person, i: number) => ({
  ...who,
  external_id: `demo-${1001 + i}`,
  company: maybe(0.5, () => faker.company.name()),
  job_title: maybe(0.4, () => faker.person.jobTitle()),
  address: maybe(0.7, address),
  locale: faker.helpers.arrayElement(['en-US', 'en-GB', 'de-DE', 'nl-NL']),
  timezone: faker.helpers.arrayElement(['America/New_York', 'Europe/London', 'Europe/Berlin']),
  tags: faker.helpers.arrayElements(['customer', 'newsletter', 'speaker', 'vip'], { min: 0, max: 2 }),
  note: maybe(0.2, () => faker.lorem.sentence()),
  custom_fields: maybe(0.3, () => ({
    loyalty_points: faker.number.int({ max: 900 }),
    wheelchair: faker.datatype.boolean(0.1),
  })),
});
