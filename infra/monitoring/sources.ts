import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { EventSourceMapping, IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Deliveries } from '../data/deliveries.ts';
import type { Inbox } from '../data/inbox.ts';
import type { Tables } from '../data/tables.ts';

/** What is watched. */
export interface Sources {
  rest: RestApi;
  tables: Tables;
  inbox: Inbox;
  deliveries: Deliveries;
  /** The functions without a URL. */
  pipeline: Record<'ingest' | 'fanOut' | 'fanOutDeferred' | 'deliver' | 'sweep', IFunction>;
  /** What hands the changes of records to `fanOut`. */
  changes: EventSourceMapping;
  /** How much comes from the one that most comes from. */
  busiest: Record<'key' | 'account', IMetric>;
  /** Under which our own metrics are kept. */
  namespace: string;
}
