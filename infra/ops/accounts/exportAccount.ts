import { appendFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ActivityItem, shownEntry } from '../../../lib/activity/activityEntry.ts';
import type { Item } from '../../../lib/dynamodb/item.ts';
import { queryPages } from '../../../lib/dynamodb/query.ts';
import { activity } from '../../../lib/dynamodb/tables.ts';
import { readKeysOf } from '../../../lib/keys/storedKeys.ts';
import { isDeleted, linkAttributes, toState } from '../../../lib/records/recordItem.ts';
import { collectionOf } from '../../../lib/resources/collections.ts';
import { type ResourceType, resources, resourceTypes } from '../../../lib/resources/index.ts';
import { shownSubscription } from '../../../lib/webhooks/model/subscription.ts';
import { readSubscriptions } from '../../../lib/webhooks/model/subscriptions.ts';
import { OpsError } from '../../terminal/opsError.ts';
import { view } from '../keys/keyTables.ts';
import { recordItems } from '../recordItems.ts';

const readme = (account: string) => `# The account ${account}

Each file has one JSON object a line. The export is whole, because this file is written last.

- \`contacts.ndjson\`, \`orders.ndjson\` and \`event-registrations.ndjson\` are the records, in their order. Import them in this order:
  \`npm run import -- contacts contacts.ndjson --account NAME\`.
- \`RESOURCE.facts.ndjson\` has, line by line, what an import cannot take: ids, versions, times created and updated, origins, what clients
  have edited, and which record was deleted: its line in the other file is empty. A record has a new id, is created at the time of its import, and begins with version 1; all
  of it counts as the product's. A \`contact_id\` names the contact that had this id before.
- A record without \`external_id\` and \`source_id\` has its old id as its \`source_id\`, by which an import finds it again.
- \`subscriptions.ndjson\` and \`keys.ndjson\` have no secrets: create both again.
- \`activity.ndjson\` says who changed keys and subscriptions.
`;

/** Returns a record as a line of an import. A record that only its id names is found by its id. */
function importable(type: ResourceType, item: Item): object {
  const { record, rowAt, sourceId, revision, links } = toState(collectionOf(type), item);
  const { id, version, created_at, updated_at, ...content } = record;
  const source_id = sourceId ?? (record.external_id === null ? id : undefined);
  return { ...content, source_id, revision, ...linkAttributes(links), updated_at: rowAt };
}

/** Returns the metadata that an import cannot restore. */
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
 * Writes everything that belongs to an account to an empty folder. Only its owner can read the files, because they contain personal data.
 * @throws OpsError if the folder is not empty, or the export was stopped
 */
export async function exportAccount(account: string, folder: string, stopped: AbortSignal): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (readdirSync(folder).length > 0)
    throw new OpsError(`The folder ${folder} is not empty. Name a new one for each export.`);
  const append = (name: string, text: string) => appendFileSync(join(folder, name), text, { mode: 0o600 });
  const add = (name: string, values: readonly (object | undefined)[]) => {
    if (stopped.aborted) throw new OpsError('It was stopped. Run it again, with another folder.');
    append(`${name}.ndjson`, values.map((value) => `${JSON.stringify(value) ?? ''}\n`).join(''));
  };
  for (const type of resourceTypes) {
    const { path } = resources[type];
    add(path, []);
    for await (const items of recordItems(account, type)) {
      // A deleted record becomes an empty line, which an import skips, so that each line has its position.
      const lines = items.map((item) => (isDeleted(item) ? undefined : importable(type, item)));
      add(path, lines);
      add(
        `${path}.facts`,
        items.map((item) => factsOf(type, item)),
      );
    }
  }
  add('subscriptions', (await readSubscriptions(account)).map(shownSubscription));
  add(
    'keys',
    (await readKeysOf(account)).map((key) => view(key)),
  );
  for await (const page of queryPages({ ...activity.where({ pk: account }), ConsistentRead: true }))
    add(
      'activity',
      page.map((item) => shownEntry(item as unknown as ActivityItem)),
    );
  append('README.md', readme(account));
}
