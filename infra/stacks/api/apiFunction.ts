import { Aws, Stack } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import {
  type AddToPrincipalPolicyResult,
  Effect,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  type FunctionProps as LambdaFunctionProps,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { activityTable } from '../../../lib/activity/table.ts';
import { env } from '../../../lib/env.ts';
import { keysTable, suspensionPartition } from '../../../lib/keys/table.ts';
import { noticesPartition } from '../../../lib/records/table.ts';
import { secretsPartition, webhooksTable } from '../../../lib/webhooks/model/table.ts';
import { acknowledgeFindings } from '../acknowledgeFindings.ts';
import type { Deliveries } from '../data/deliveries.ts';
import type { Outbox } from '../data/outbox.ts';
import { removalPolicyOf } from '../data/removalPolicy.ts';
import type { Tables } from '../data/tables.ts';
import { type Permissions, permissions } from '../permissions.ts';
import type { StageSettings } from '../stages/stages.ts';

/** The role of a function. What it allows is part of it: a policy of its own would be one more of the 500 resources of a stack. */
class FunctionRole extends Role {
  private readonly allowed: PolicyDocument;

  constructor(scope: Construct, id: string) {
    const allowed = new PolicyDocument();
    super(scope, id, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { Own: allowed },
    });
    this.allowed = allowed;
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.allowed.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}

const dynamodb = (actions: readonly string[]): string[] => actions.map((action) => `dynamodb:${action}`);

/**
 * What it takes to use a table with a key of ours, through DynamoDB and nothing else.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html
 */
const kmsActions = [
  'kms:Decrypt',
  'kms:DescribeKey',
  'kms:Encrypt',
  'kms:GenerateDataKey',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
];

const queueVariables = { quick: env.quickDeliveriesQueue, slow: env.slowDeliveriesQueue };

/**
 * Names are looked up on Node's threads, of which there are four by default. A lookup goes on after the request that waited for it:
 * a few names that no server answers for would take all four, and the next good name would not be found in time.
 */
const lookupsAtOnce = 32;

/** What every function is made with. */
export interface FunctionProps {
  tables: Tables;
  deliveries: Deliveries;
  outbox?: Outbox | undefined;
  /** The folder of each function's bundle, by its id. */
  bundles: Map<string, string>;
  settings: StageSettings;
}

export const logsOf = (scope: Construct, settings: StageSettings): LogGroup =>
  new LogGroup(scope, 'Logs', {
    retention: settings.logRetentionDays,
    removalPolicy: removalPolicyOf(settings),
  });

type Grants = {
  [Name in keyof Permissions]-?: (
    to: ApiFunction,
    value: NonNullable<Permissions[Name]>,
    given: Pick<FunctionProps, 'tables' | 'deliveries' | 'outbox' | 'settings'> & { permitted: Permissions },
  ) => void;
};

/** What each permission takes. One without an entry is granted where its resource is made. */
const grants: Partial<Grants> = {
  keys: (to, actions, { tables, settings }) => {
    to.grant(tables.keys, env.keysTable, actions);
    if (settings.keepData) to.lambda.addEnvironment(env.refuseTestKeys, '1');
  },
  suspension: (to, _, { tables: { keys } }) =>
    to.grant(keys, env.keysTable, ['GetItem'], suspensionPartition('*')),
  keysIndex: (to, actions, { tables }) => {
    to.lambda.addEnvironment(env.keysTable, tables.keys.tableName);
    to.allow(dynamodb(actions), `${tables.keys.tableArn}/index/${keysTable.byAccount.name}`);
  },
  records: (to, actions, { tables }) => to.grant(tables.records, env.recordsTable, actions),
  notices: (to, _, { tables: { records } }) =>
    to.grant(records, env.recordsTable, ['PutItem'], noticesPartition('*')),
  index: (to, actions, { tables }) => to.grant(tables.index, env.indexTable, actions),
  webhooks: (to, actions, { tables, permitted: { secrets = [] } }) => {
    to.grant(tables.webhooks, env.webhooksTable, actions);
    to.refuseSecrets(
      tables.webhooks,
      actions.filter((action) => !secrets.includes(action)),
    );
    to.allow(kmsActions, tables.webhooksKey.keyArn, {
      StringEquals: { 'kms:ViaService': `dynamodb.${Stack.of(to).region}.${Aws.URL_SUFFIX}` },
    });
  },
  sessions: (to, actions, { tables }) => to.grant(tables.sessions, env.sessionsTable, actions),
  usage: (to, actions, { tables }) => to.grant(tables.usage, env.usageTable, actions),
  activity: (to, actions, { tables, settings }) => {
    to.grant(tables.activity, env.activityTable, actions);
    to.lambda.addEnvironment(env.activityDays, String(settings.activityDays));
  },
  activityIndex: (to, actions, { tables }) =>
    to.allow(dynamodb(actions), `${tables.activity.tableArn}/index/${activityTable.byKey.name}`),
  dueIndex: (to, actions, { tables }) =>
    to.allow(dynamodb(actions), `${tables.webhooks.tableArn}/index/${webhooksTable.due.name}`),
  // CloudFormation reads the secret when it makes the function: no request waits for it, and none fails without it.
  ids: (to, _, { tables }) => to.lambda.addEnvironment(env.idKey, tables.idKey.secretValue.unsafeUnwrap()),
  enqueues: (to, queues, { deliveries }) => {
    for (const queue of queues) to.sendTo(deliveries[queue], queueVariables[queue]);
  },
  defers: (to, worker, { deliveries }) =>
    worker === 'fanOut'
      ? to.sendTo(deliveries.deferredFanOut, env.deferredFanOutQueue)
      : to.sendTo(deliveries.deferredIndex, env.deferredIndexQueue),
  outbox: (to, _, { outbox, settings }) => {
    if (!outbox || !settings.outbox) return;
    to.sendTo(outbox.queue, env.recordsOutbox);
    to.lambda.addEnvironment(env.outboxChanges, settings.outbox);
  },
  resolves: (to) => to.lambda.addEnvironment('UV_THREADPOOL_SIZE', String(lookupsAtOnce)),
};

/**
 * One Lambda with its own role, and its own log group unless it is given one. It may write its log, and do with the tables what
 * `permissions` says of its id.
 */
export class ApiFunction extends Construct {
  readonly lambda: LambdaFunction;

  constructor(
    scope: Construct,
    id: keyof typeof permissions,
    {
      tables,
      deliveries,
      outbox,
      bundles,
      settings,
      logs,
      ...more
    }: FunctionProps &
      Pick<LambdaFunctionProps, 'timeout' | 'recursiveLoop' | 'reservedConcurrentExecutions'> & {
        logs?: LogGroup;
      },
  ) {
    super(scope, id);
    const logGroup = logs ?? logsOf(this, settings);
    const role = new FunctionRole(this, 'Role');
    logGroup.grantWrite(role);
    this.lambda = new LambdaFunction(this, 'Function', {
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(bundles.get(id) as string),
      handler: 'index.handler',
      memorySize: settings.functionMemoryMb[id] ?? settings.memoryMb,
      ...more,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      tracing: settings.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      environment: { [env.metricsNamespace]: Stack.of(this).stackName },
    });
    if (settings.tracing)
      acknowledgeFindings(role, {
        'IAM5[Resource::*]': 'X-Ray knows no resources to which the writing of traces belongs',
      });
    const permitted: Permissions = permissions[id];
    const given = { tables, deliveries, outbox, settings, permitted };
    for (const [name, grant] of Object.entries(grants)) {
      const value = permitted[name as keyof Permissions];
      if (value !== undefined) grant(this, value as never, given);
    }
  }

  /** Allows exactly these actions on the table, or in some of its partitions, and puts its name into this variable. */
  grant(
    table: TableV2,
    variable: (typeof env)[keyof typeof env],
    actions: readonly string[],
    partitions?: string,
  ): void {
    this.lambda.addEnvironment(variable, table.tableName);
    const conditions =
      partitions === undefined ? {} : { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [partitions] } };
    this.allow(dynamodb(actions), table.tableArn, conditions);
  }

  /**
   * Refuses actions where secrets are. By Deny, and for any of the keys: an Allow for all of them would also hold for a call
   * without a key, and a batch with one secret in it has to be refused whole.
   * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-single-vs-multi-valued-context-keys.html
   */
  refuseSecrets({ tableArn }: TableV2, actions: readonly string[]): void {
    if (actions.length === 0) return;
    this.lambda.addToRolePolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        actions: dynamodb(actions),
        resources: [tableArn],
        conditions: { 'ForAnyValue:StringLike': { 'dynamodb:LeadingKeys': [secretsPartition('*')] } },
      }),
    );
  }

  /** Lets it send to a queue, whose URL is under this variable. */
  sendTo(queue: Queue, variable: (typeof env)[keyof typeof env]): void {
    this.lambda.addEnvironment(variable, queue.queueUrl);
    this.allow(['sqs:SendMessage'], queue.queueArn);
  }

  /** Lets it take messages from queues, as its event source mappings do. */
  takeFrom(...queues: Queue[]): void {
    for (const { queueArn } of queues)
      this.allow(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'], queueArn);
  }

  allow(actions: string[], resource: string, conditions: Record<string, object> = {}): void {
    this.lambda.addToRolePolicy(new PolicyStatement({ actions, resources: [resource], conditions }));
  }
}
