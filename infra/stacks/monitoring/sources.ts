import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { EventSourceMapping, IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Tables } from '../data/dataTables.ts';
import type { Deliveries } from '../data/deliveries.ts';
import type { Inbox } from '../data/inboxQueues.ts';
import type { Outbox } from '../data/outboxQueue.ts';

export interface Counted {
  requestsOfKey: IMetric;
  attemptsOfAccount: IMetric;
  /** The number of accounts whose subscriptions were suspended in an hour. */
  suspendedAccounts: IMetric;
}

export interface Sources {
  rest: RestApi;
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
  usage: Record<'count' | 'summarize', IFunction>;
  /** The mappings that deliver changes to `fanOut`, `index` and `indexLogs`. */
  changes: readonly EventSourceMapping[];
  /** Undefined in a stage with few alarms, because the rules cost money. */
  counted: Counted | undefined;
  namespace: string;
}
