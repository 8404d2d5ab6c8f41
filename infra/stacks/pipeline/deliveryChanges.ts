import { Duration } from 'aws-cdk-lib';
import { partitionCount } from '../../../lib/records/table.ts';
import type { Tables } from '../data/tables.ts';

/** A delivery is made, claimed and attempted within a second: together, these changes cost as much as one. */
const batchWindow = Duration.seconds(1);

/** Records of this stream are short. The changes of a delivery, and the deliveries of a log, are indexed once for all of a batch. */
const changesAtOnce = 1000;

/** More would write the sets of the same log at the same time, and refuse each other. */
const batchesPerShard = 1;

const digits = Array.from('0123456789');

/**
 * The keys of deliveries: a partition key that ends with the number of a partition of a log, and a position as the sort key. No other
 * item of the table has both. Deletions are left out, because only the time to live deletes a delivery, when nobody can read it any
 * more.
 *
 * The table has signing secrets, too. Its stream has KEYS_ONLY, and keys are not secrets: whoever reads the stream, by its mapping or
 * with the permissions of its function, finds no secret and no answer of a receiver there. This filter only saves invocations.
 */
const pattern = {
  eventName: ['INSERT', 'MODIFY'],
  dynamodb: {
    Keys: {
      pk: { S: Array.from({ length: partitionCount }, (_, partition) => ({ suffix: `#${partition}` })) },
      sk: { S: digits.map((prefix) => ({ prefix })) },
    },
  },
};

/** The changes of deliveries. Their stream has one reader, `indexDeliveries`. */
export const ofDeliveries = ({ webhooks }: Tables) => ({
  stream: webhooks.tableStreamArn as string,
  pattern,
  batchSize: changesAtOnce,
  batchesPerShard,
  batchWindow,
});
