import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { isSubscribed } from '../../../lib/contract/eventTypes.ts';
import { listMatching } from '../../../lib/lists/list.ts';
import { collectionOf } from '../../../lib/resources/collections.ts';
import { type ResourceType, resourceTypes } from '../../../lib/resources/index.ts';
import { readSubscriptions } from '../../../lib/webhooks/model/readSubscriptions.ts';
import type { DeadLetters, GivenUp } from '../redrive/givenUp.ts';

/** Where data of an erased contact may still be, because the command does not reach it. */
export interface OutOfReach {
  /** How many records of each type quote the contact. */
  quotedBy: [type: ResourceType, records: number][];
  /** How many subscriptions there are, and how many of them get the event of the erasure. */
  subscriptions: { all: number; told: number };
  /** How much work of all accounts was given up. Some of it may hold the contact. */
  givenUp: { records: number; deferredChanges: number; changes: number };
  /** Until when the backups reach back to the contact. */
  backupsUntil: string;
}

/** How many days back a table can be restored. */
const backupDays = 35;

/** The types whose records name their contact. */
const quoting = resourceTypes.filter((type) =>
  collectionOf(type).filters.values.some(({ name }) => name === 'contact_id'),
);

/** @param erasedAt when the contact was erased, RFC 3339 */
export async function outOfReach(
  { account, id }: { account: string; id: string },
  erasedAt: string,
  { records, deferredChanges, changes }: GivenUp,
): Promise<OutOfReach> {
  const subscriptions = await readSubscriptions(account);
  const ofContact = { limit: 1, offset: 0, sort: 'created_at', contact_id: id } as const;
  const [letters, deferred, failed, ...quotes] = await Promise.all([
    lengthOf(records),
    lengthOf(deferredChanges),
    changes.names(),
    ...quoting.map((type) => listMatching(collectionOf(type), account, ofContact)),
  ]);
  return {
    quotedBy: quotes.map(({ pagination }, i) => [quoting[i] as ResourceType, pagination.total]),
    subscriptions: {
      all: subscriptions.length,
      told: subscriptions.filter(({ event_types }) => isSubscribed(event_types, 'contact.updated')).length,
    },
    givenUp: { records: letters, deferredChanges: deferred, changes: failed.length },
    backupsUntil: new Date(Date.parse(erasedAt) + backupDays * 24 * 3_600_000).toISOString(),
  };
}

async function lengthOf({ sqs, from }: DeadLetters): Promise<number> {
  const name = 'ApproximateNumberOfMessages';
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: from, AttributeNames: [name] }),
  );
  return Number(Attributes?.[name]);
}
