import { faker } from '@faker-js/faker/locale/en';
import { type ResourcePath, recordSchemas } from '../../../lib/contract/inboxContract.ts';
import { collectionAt, toEntry } from '../../../lib/inbox/inboxResources.ts';
import { append } from '../../../lib/records/commitQueue/append.ts';
import type { DraftOutcome } from '../../../lib/records/commitQueue/queue.ts';
import { newDraft, recordAt } from '../../../lib/records/recordItem.ts';
import { inAccount } from '../../../lib/records/recordKeys.ts';
import { byProduct } from '../../../lib/records/recordOrigin.ts';
import { type ResourceType, resources, resourceTypes } from '../../../lib/resources/index.ts';
import { contacts } from './records/contacts.ts';
import { makePeople, type World } from './records/demoValues.ts';
import { eventRegistrations } from './records/eventRegistrations.ts';
import { orders } from './records/orders.ts';

// The records of a small event organiser. They are the same on every machine, except that their times are always in the last months.

/** Demo-record factories by type. A resource without one gets the example of the reference. */
const makers: Partial<Record<ResourceType, (world: World) => readonly object[]>> = {
  contact: contacts,
  order: orders,
  event_registration: eventRegistrations,
};

/** Creates the demo records of an account. Existing ones are not changed, because people may have edited them. */
export async function seed(account: string): Promise<void> {
  faker.seed(20260301);
  const world: World = { people: makePeople(), ids: {} };
  for (const type of resourceTypes) {
    const drafts = makers[type]?.(world) ?? [await exampleOf(type, world)];
    world.ids[type] = await store(resources[type].path, account, drafts);
  }
}

/** Returns the example of the reference, about a contact of the demo. It is read only when needed, because the document takes a while to create. */
async function exampleOf(type: ResourceType, { ids }: World): Promise<object> {
  const { exampleDraft } = await import('../../pages/reference/exampleDraft.ts');
  const example = exampleDraft(type);
  return 'contact_id' in example ? { ...example, contact_id: ids.contact?.[0] ?? null } : example;
}

/** Creates the records whose external ids do not exist yet. @returns the ids of all, in the same order */
async function store(resource: ResourcePath, account: string, drafts: readonly object[]): Promise<string[]> {
  const collection = collectionAt(resource);
  const wanted = drafts.map((draft) =>
    newDraft(collection, toEntry(resource, recordSchemas[resource]().parse(draft), draft).content, {
      origin: byProduct,
    }),
  );
  const appended = await append(inAccount(collection, account), wanted);
  return wanted.map((draft) => {
    const outcome = appended.get(draft) as Exclude<DraftOutcome, { kind: 'repeated' }>;
    return outcome.kind === 'taken' ? outcome.by : recordAt(collection, draft, outcome).id;
  });
}
