import { FilterRule } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { ApiFunction, FunctionProps } from '../api/apiFunction.ts';
import { TableChanges } from './tableChanges.ts';

const changesAtOnce = 100;

/** The function that gets the changes, and the most batches of one shard that it works on at once. */
interface Consumer extends Pick<FunctionProps, 'tables' | 'deliveries'> {
  consumer: ApiFunction;
  batchesPerShard: number;
}

/**
 * Hands the changes of records to a function.
 *
 * The stream has two readers, `fanOutChanges` and `indexChanges`. Nothing else may read it: with more than two readers of a shard
 * DynamoDB may throttle them. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html
 */
export class RecordChanges extends TableChanges {
  constructor(scope: Construct, id: string, { tables, ...consumer }: Consumer) {
    super(scope, id, {
      ...consumer,
      stream: tables.records.tableStreamArn as string,
      // Only records and notices have a version; no other item of the table does.
      pattern: { dynamodb: { NewImage: { version: { N: FilterRule.exists() } } } },
      batchSize: changesAtOnce,
    });
  }
}
