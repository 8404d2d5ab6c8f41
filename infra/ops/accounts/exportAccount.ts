import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ActivityItem, shownEntry } from '../../../lib/activity/entry.ts';
import { queryPages } from '../../../lib/dynamodb/query.ts';
import { env, required } from '../../../lib/env.ts';
import { listKeys } from '../../../lib/keys/store.ts';
import { resources, resourceTypes } from '../../../lib/resources/index.ts';
import { countsIn } from '../../../lib/usage/counts.ts';
import { failPartition, usePartition } from '../../../lib/usage/keys.ts';
import { timeOf } from '../../../lib/usage/readUse.ts';
import { usedKeys } from '../../../lib/usage/usedKeys.ts';
import { readSubscriptions } from '../../../lib/webhooks/model/readSubscriptions.ts';
import { shownSubscription } from '../../../lib/webhooks/model/subscription.ts';
import { OpsError } from '../../terminal/opsError.ts';
import { view } from '../keys/keysOutput.ts';
import { exportRecords } from './exportRecords.ts';
import { LineFile, linesIn } from './lineFile.ts';

const readme = (account: string) => `# The account ${account}

Each file has one JSON object a line. A file is whole once its name does not end with \`.part\`.

- \`contacts.ndjson\`, \`orders.ndjson\` and \`event-registrations.ndjson\` are the records, in their order. Import them in this order:
  \`npm run import -- contacts contacts.ndjson --account NAME\`.
- \`RESOURCE.facts.ndjson\` has, line by line, what an import cannot take: ids, versions, times created and updated, origins, what clients
  have edited, and which record was deleted: its line in the other file is empty. A record has a new id, is created at the time of its import, and begins with version 1; all
  of it counts as the product's. A \`contact_id\` names the contact that had this id before.
- A record without \`external_id\` and \`source_id\` has its old id as its \`source_id\`, by which an import finds it again.
- \`subscriptions.ndjson\` and \`keys.ndjson\` have no secrets: make both anew.
- \`activity.ndjson\`, \`usage.ndjson\` and \`failed-requests.ndjson\` are for reading; an hour can have several lines of counts.
`;

/** The files that an earlier run that was ended begins anew, each with what is in it, a page at a time. */
const files: Record<string, (account: string) => AsyncIterable<object[]>> = {
  'subscriptions.ndjson': async function* (account) {
    yield (await readSubscriptions(account)).map((one) => shownSubscription(one));
  },
  'keys.ndjson': async function* (account) {
    yield (await listKeys(account)).map((key) => view(key));
  },
  'activity.ndjson': async function* (account) {
    for await (const page of partition(env.activityTable, account))
      yield page.map((item) => shownEntry(item as unknown as ActivityItem));
  },
  'usage.ndjson': async function* (account) {
    for (const key_id of await usedKeys(account))
      for await (const page of partition(env.usageTable, usePartition(account, key_id)))
        yield page.map((item) => ({ key_id, time: timeOf(item), counts: countsIn(item) }));
  },
  'failed-requests.ndjson': async function* (account) {
    for await (const page of partition(env.usageTable, failPartition(account)))
      yield page.map(({ pk, sk, ttl, ...request }) => ({ time: String(sk).split('#')[0], ...request }));
  },
};

const partition = (variable: typeof env.activityTable | typeof env.usageTable, pk: string) =>
  queryPages({
    TableName: required(variable),
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: true,
  });

/**
 * Writes what there is of an account into a folder. It can be run again: it goes on where it was.
 * @returns how many lines each file has, and whether all are whole
 */
export async function exportAccount(
  account: string,
  folder: string,
  stopped: AbortSignal,
): Promise<{ lines: Record<string, number>; complete: boolean }> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const about = join(folder, 'README.md');
  if (existsSync(about) && readFileSync(about, 'utf8') !== readme(account))
    throw new OpsError(
      `The folder ${folder} has another README.md. Name a folder of its own for each account.`,
    );
  writeFileSync(about, readme(account), { mode: 0o600 });
  const lines: Record<string, number> = {};
  for (const type of resourceTypes)
    lines[`${resources[type].path}.ndjson`] = await exportRecords(account, type, folder, stopped);
  for (const [name, read] of Object.entries(files)) {
    const path = join(folder, name);
    lines[name] = linesIn(path);
    if (stopped.aborted || existsSync(path)) continue;
    const file = new LineFile(path, 0);
    for await (const page of read(account)) file.add(page);
    lines[name] = file.lines;
    file.finish();
  }
  return { lines, complete: !stopped.aborted };
}
