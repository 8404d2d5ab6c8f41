import { FilterRule } from 'aws-cdk-lib/aws-lambda';
import type { Tables } from '../data/dataTables.ts';

/**
 * Returns the changes of records. Their stream has two readers, `fanOutChanges` and `indexChanges`. Nothing else may read it, because DynamoDB
 * may throttle a shard with more than two readers.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html
 */
export const ofRecords = ({ records }: Tables) => ({
  stream: records.tableStreamArn as string,
  // Only records and notices have a version; no other item of the table does.
  pattern: { dynamodb: { NewImage: { version: { N: FilterRule.exists() } } } },
  batchSize: 100,
});
