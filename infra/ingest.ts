import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { env } from '../lib/env.ts';
import { ApiFunction } from './apiFunction.ts';
import { type Inbox, ingestTimeout } from './inbox.ts';
import { permissions } from './permissions.ts';
import type { StageSettings } from './stages.ts';
import type { Tables } from './tables.ts';

/** As many as the store looks up at once. */
const batchSize = 100;

/** How long a batch waits to become full: records are that much late at most, and far cheaper to store together. */
const batchWindow = Duration.seconds(1);

/** Batches at once. Those of one account wait for each other anyway. */
const concurrency = 5;

export interface IngestProps {
  inbox: Inbox;
  tables: Tables;
  /** The folder of each function's bundle, by its id. */
  bundles: Map<string, string>;
  settings: StageSettings;
}

/** Stores what arrives in the inbox. */
export class Ingest extends Construct {
  constructor(scope: Construct, id: string, { inbox, tables, bundles, settings }: IngestProps) {
    super(scope, id);
    const folder = bundles.get('ingestRecords') as string;
    const made = new ApiFunction(this, 'ingestRecords', { folder, timeout: ingestTimeout, settings });
    made.grant(tables.records, env.recordsTable, permissions.ingestRecords.records ?? []);
    made.lambda.addToRolePolicy(
      new PolicyStatement({
        actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
        resources: [inbox.queue.queueArn],
      }),
    );
    new EventSourceMapping(this, 'Source', {
      target: made.lambda,
      eventSourceArn: inbox.queue.queueArn,
      batchSize,
      maxBatchingWindow: batchWindow,
      maxConcurrency: concurrency,
      reportBatchItemFailures: true,
    });
  }
}
