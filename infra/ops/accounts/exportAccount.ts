import { appendFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ActivityItem, shownEntry } from '../../../lib/activity/entry.ts';
import { queryPages } from '../../../lib/dynamodb/query.ts';
import { activity } from '../../../lib/dynamodb/tables.ts';
import { listKeys } from '../../../lib/keys/store.ts';
import { isDeleted } from '../../../lib/records/deletion/tombstone.ts';
import { readCount } from '../../../lib/records/head.ts';
import { toState } from '../../../lib/records/item.ts';
import { recordsOf } from '../../../lib/records/list.ts';
import { completeRange, readRange } from '../../../lib/records/range.ts';
import { collectionOf } from '../../../lib/resources/collections.ts';
import { type ResourceType, resources, resourceTypes } from '../../../lib/resources/index.ts';
import { shownSubscription } from '../../../lib/webhooks/model/subscription.ts';
import { readSubscriptions } from '../../../lib/webhooks/model/subscriptions.ts';
import { OpsError } from '../../terminal/opsError.ts';
import { view } from '../keys/output.ts';

const readme = (account: string) => `# The account ${account}

Each file has one JSON object a line. The export is whole, because this file is written last.

- \`contacts.ndjson\`, \`orders.ndjson\` and \`event-registrations.ndjson\` are the records, in their order. Import them in this order:
  \`npm run import -- contacts contacts.ndjson --account NAME\`.
- \`RESOURCE.facts.ndjson\` has, line by line, what an import cannot take: ids, versions, times created and updated, origins, what clients
  have edited, and which record was deleted: its line in the other file is empty. A record has a new id, is created at the time of its import, and begins with version 1; all
  of it counts as the product's. A \`contact_id\` names the contact that had this id before.
- A record without \`external_id\` and \`source_id\` has its old id as its \`source_id\`, by which an import finds it again.
- \`subscriptions.ndjson\` and \`keys.ndjson\` have no secrets: make both anew.
- \`activity.ndjson\` says who has changed keys and subscriptions.
`;

/** The files beside those of records, each with what is in it, a page at a time. */
const files: Record<string, (account: string) => AsyncIterable<object[]>> = {
  'subscriptions.ndjson': async function* (account) {
    yield (await readSubscriptions(account)).map((one) => shownSubscription(one));
  },
  'keys.ndjson': async function* (account) {
    yield (await listKeys(account)).map((key) => view(key));
  },
  'activity.ndjson': async function* (account) {
    for await (const page of queryPages({ ...activity.where({ pk: account }), ConsistentRead: true }))
      yield page.map((item) => shownEntry(item as unknown as ActivityItem));
  },
};

type Item = Record<string, unknown>;

/** How many records are read at once: those of one block. */
const readAtOnce = 100;

/** The items of the records of a type, in their order. */
async function* recordItems(account: string, type: ResourceType): AsyncGenerator<Item[]> {
  const ref = { account, type };
  const [positions, count] = [recordsOf(ref), await readCount(ref)];
  for (let from = 0; from < count; from += readAtOnce) {
    const to = Math.min(from + readAtOnce, count);
    yield await completeRange(positions, from, to, await readRange(positions, from, to));
  }
}

/** A record as a line of an import. One that only its id names is found by that. */
function importable(type: ResourceType, item: Item): object {
  const { record, statedAt, sourceId, revision, contactSource } = toState(collectionOf(type), item);
  const { id, version, created_at, updated_at, ...content } = record;
  const source_id = sourceId ?? (record.external_id === null ? id : undefined);
  return { ...content, source_id, revision, contact_source_id: contactSource, updated_at: statedAt };
}

/** The facts that an import cannot take. */
function factsOf(type: ResourceType, item: Item): object {
  const { record, origin, edits } = toState(collectionOf(type), item);
  const { id, external_id, version, created_at, updated_at } = record;
  return {
    ...{ id, external_id, source_id: item.source_id, version, created_at, updated_at, origin },
    ...{
      deleted_at: item.deleted_at,
      merged_into: item.merged_into,
      client_edits: edits?.versions,
      client_edit_times: edits?.times,
    },
  };
}

/**
 * Writes what there is of an account into an empty folder. Only the owner of the files can read them, because they have data of people.
 * @returns how many lines each file has
 * @throws OpsError when the folder is not empty, or the export was stopped
 */
export async function exportAccount(
  account: string,
  folder: string,
  stopped: AbortSignal,
): Promise<Record<string, number>> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (readdirSync(folder).length > 0)
    throw new OpsError(`The folder ${folder} is not empty. Name a new one for each export.`);
  const append = (name: string, text: string) => appendFileSync(join(folder, name), text, { mode: 0o600 });
  const lines: Record<string, number> = {};
  const add = (name: string, values: readonly (object | undefined)[]) => {
    if (stopped.aborted) throw new OpsError('It was stopped. Run it again, with another folder.');
    append(name, values.map((value) => `${JSON.stringify(value) ?? ''}\n`).join(''));
    lines[name] = (lines[name] ?? 0) + values.length;
  };
  for (const type of resourceTypes) {
    const { path } = resources[type];
    add(`${path}.ndjson`, []);
    for await (const items of recordItems(account, type)) {
      add(
        `${path}.ndjson`,
        // A deleted record has an empty line, which an import passes over, so that each line has its position.
        items.map((item) => (isDeleted(item) ? undefined : importable(type, item))),
      );
      add(
        `${path}.facts.ndjson`,
        items.map((item) => factsOf(type, item)),
      );
    }
  }
  for (const [name, read] of Object.entries(files)) {
    add(name, []);
    for await (const page of read(account)) add(name, page);
  }
  append('README.md', readme(account));
  return lines;
}
