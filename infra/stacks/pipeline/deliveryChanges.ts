import { Duration } from 'aws-cdk-lib';
import { partitionCount } from '../../../lib/records/recordsTable.ts';
import type { Tables } from '../data/dataTables.ts';

/** A delivery is created, leased and attempted within a second. Within one batch, these changes cost as much as one. */
const batchWindow = Duration.seconds(1);

/** Records of this stream are short. The changes of a delivery, and the deliveries of a log, are indexed once for a whole batch. */
const changesAtOnce = 1000;

/** More batches would write the sets of the same log at the same time, and refuse each other. */
const batchesPerShard = 1;

const digits = Array.from('0123456789');

/**
 * Matches the keys of deliveries: a partition key that ends with the number of a partition of a log, and a position as the sort key. No other
 * item of the table has both. Deletions are left out, because a delivery is deleted only when it expires, and nobody can read it then.
 *
 * The table also contains signing secrets. Its stream is KEYS_ONLY, and keys are not secret, so anyone who reads the stream, through its
 * mapping or with the permissions of its function, finds neither a secret nor a receiver's response. This filter only saves invocations.
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

/** Returns the changes of deliveries. Their stream has one reader, `indexDeliveries`. */
export const ofDeliveries = ({ webhooks }: Tables) => ({
  stream: webhooks.tableStreamArn as string,
  pattern,
  batchSize: changesAtOnce,
  batchesPerShard,
  batchWindow,
});
