import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { EventSourceMapping, IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Deliveries } from '../data/deliveries.ts';
import type { Inbox } from '../data/inbox.ts';
import type { Outbox } from '../data/outbox.ts';
import type { Tables } from '../data/tables.ts';

/** The counts by key or account. */
export interface Counted {
  /** The requests of the busiest key. */
  requestsOfKey: IMetric;
  /** The attempts of the busiest account. */
  attemptsOfAccount: IMetric;
  /** In how many accounts subscriptions were suspended in an hour. */
  suspendedAccounts: IMetric;
}

/** The resources that are monitored. */
export interface Sources {
  rest: RestApi;
  /** The functions of the operations, by their ids. */
  operations: ReadonlyMap<string, IFunction>;
  authorizer: IFunction;
  tables: Tables;
  inbox: Inbox;
  outbox: Outbox | undefined;
  deliveries: Deliveries;
  /** The functions without a URL. */
  pipeline: Record<
    | 'ingest'
    | 'fanOut'
    | 'fanOutDeferred'
    | 'deliver'
    | 'sweep'
    | 'index'
    | 'indexDeferred'
    | 'indexLogs'
    | 'verify',
    IFunction
  >;
  /** The functions that count requests and sum them up. */
  usage: Record<'count' | 'summarize', IFunction>;
  /** The mappings that hand changes to `fanOut`, `index` and `indexLogs`. */
  changes: readonly EventSourceMapping[];
  /** Undefined in a stage with few alarms, because its rules cost money. */
  counted: Counted | undefined;
  /** The namespace of our own metrics. */
  namespace: string;
}
