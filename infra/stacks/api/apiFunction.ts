import { Aws, Stack } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
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
import { activityTable } from '../../../lib/activity/activityTable.ts';
import { env } from '../../../lib/env.ts';
import { keysTable, suspensionPartition } from '../../../lib/keys/keysTable.ts';
import { noticesPartition, redactionPartition } from '../../../lib/records/recordsTable.ts';
import { secretsPartition, webhooksTable } from '../../../lib/webhooks/model/webhooksTable.ts';
import { acknowledgeFindings } from '../acknowledgeFindings.ts';
import type { Tables } from '../data/dataTables.ts';
import type { Deliveries } from '../data/deliveries.ts';
import type { Outbox } from '../data/outboxQueue.ts';
import { removalPolicyOf } from '../data/removalPolicy.ts';
import { type Permissions, permissions } from '../permissions.ts';
import type { StageSettings } from '../stages/stages.ts';
import { FunctionRole } from './functionRole.ts';

const dynamodb = (actions: readonly string[]): string[] => actions.map((action) => `dynamodb:${action}`);

/**
 * The permissions for a table with our own key: to use the key, but only through DynamoDB.
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
 * The number of threads for DNS lookups. Node has four by default, and a lookup goes on after its request has timed out. So a few names that no
 * server resolves would occupy all four, and the next lookup would start too late.
 */
const lookupsAtOnce = 32;

export interface FunctionProps {
  tables: Tables;
  deliveries: Deliveries;
  outbox?: Outbox | undefined;
  bundles: Map<string, string>;
  settings: StageSettings;
}

export const logsOf = (scope: Construct, settings: StageSettings): LogGroup =>
  new LogGroup(scope, 'Logs', {
    retention: settings.logRetentionDays,
    removalPolicy: removalPolicyOf(settings),
  });

/**
 * One Lambda with its own role, and its own log group unless it is given one. It may write its log, and do with the tables what `permissions`
 * allows for its id.
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
    const { keys, keysIndex, records, index, webhooks, secrets = [], dueIndex, ids, enqueues } = permitted;
    if (keys) {
      this.grant(tables.keys, env.keysTable, keys);
      if (settings.keepData) this.lambda.addEnvironment(env.refuseTestKeys, '1');
    }
    if (permitted.suspension) this.allowSuspension(tables.keys);
    if (keysIndex) {
      this.lambda.addEnvironment(env.keysTable, tables.keys.tableName);
      this.allow(dynamodb(keysIndex), `${tables.keys.tableArn}/index/${keysTable.byAccount.name}`);
    }
    if (records) this.grant(tables.records, env.recordsTable, records);
    if (permitted.notices) this.allowPuts(tables.records, env.recordsTable, noticesPartition('*'));
    if (index) this.grant(tables.index, env.indexTable, index);
    if (webhooks) {
      this.grant(tables.webhooks, env.webhooksTable, webhooks);
      this.refuseSecrets(
        tables.webhooks,
        webhooks.filter((action) => !secrets.includes(action)),
      );
    }
    if (permitted.redactions)
      this.allowPuts(tables.webhooks, env.webhooksTable, redactionPartition('*', '*'));
    if (webhooks || permitted.redactions)
      this.allow(kmsActions, tables.webhooksKey.keyArn, {
        StringEquals: { 'kms:ViaService': `dynamodb.${Stack.of(this).region}.${Aws.URL_SUFFIX}` },
      });
    if (permitted.sessions) this.grant(tables.sessions, env.sessionsTable, permitted.sessions);
    if (permitted.usage) this.grant(tables.usage, env.usageTable, permitted.usage);
    if (permitted.activity) {
      this.grant(tables.activity, env.activityTable, permitted.activity);
      this.lambda.addEnvironment(env.activityDays, String(settings.activityDays));
    }
    if (permitted.activityIndex)
      this.allow(
        dynamodb(permitted.activityIndex),
        `${tables.activity.tableArn}/index/${activityTable.byKey.name}`,
      );
    if (dueIndex)
      this.allow(dynamodb(dueIndex), `${tables.webhooks.tableArn}/index/${webhooksTable.due.name}`);
    // CloudFormation reads the secret when it creates the function, so no request waits for it, and none fails without it.
    if (ids) this.lambda.addEnvironment(env.idKey, tables.idKey.secretValue.unsafeUnwrap());
    for (const queue of enqueues ?? []) this.sendTo(deliveries[queue], queueVariables[queue]);
    if (permitted.defers === 'fanOut') this.sendTo(deliveries.deferredFanOut, env.deferredFanOutQueue);
    if (permitted.defers === 'index') this.sendTo(deliveries.deferredIndex, env.deferredIndexQueue);
    if (permitted.outbox && outbox && settings.outbox) {
      this.sendTo(outbox.queue, env.recordsOutbox);
      this.lambda.addEnvironment(env.outboxChanges, settings.outbox);
    }
    if (permitted.resolves) this.lambda.addEnvironment('UV_THREADPOOL_SIZE', String(lookupsAtOnce));
  }

  /** Allows exactly these actions on the table, and sets a variable to its name. */
  private grant(table: TableV2, variable: (typeof env)[keyof typeof env], actions: readonly string[]): void {
    this.lambda.addEnvironment(variable, table.tableName);
    this.allow(dynamodb(actions), table.tableArn);
  }

  /**
   * Denies actions on items with secrets. It uses Deny, and applies if any of the keys matches: an Allow for all keys would also apply to a
   * call without a key, and a batch that contains one secret must be refused as a whole.
   * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-single-vs-multi-valued-context-keys.html
   */
  private refuseSecrets({ tableArn }: TableV2, actions: readonly string[]): void {
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

  private allowSuspension({ tableName, tableArn }: TableV2): void {
    this.lambda.addEnvironment(env.keysTable, tableName);
    this.allow(dynamodb(['GetItem']), tableArn, {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [suspensionPartition('*')] },
    });
  }

  /** Allows putting items whose partition keys match a pattern into a table, and nothing else. */
  private allowPuts(
    { tableName, tableArn }: TableV2,
    variable: (typeof env)[keyof typeof env],
    partitions: string,
  ): void {
    this.lambda.addEnvironment(variable, tableName);
    this.allow(dynamodb(['PutItem']), tableArn, {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [partitions] },
    });
  }

  /** Lets the function send to a queue, and sets a variable to its URL. */
  sendTo(queue: Queue, variable: (typeof env)[keyof typeof env]): void {
    this.lambda.addEnvironment(variable, queue.queueUrl);
    this.allow(['sqs:SendMessage'], queue.queueArn);
  }

  /** Lets the function take messages from queues, as its event source mappings do. */
  takeFrom(...queues: Queue[]): void {
    for (const { queueArn } of queues)
      this.allow(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'], queueArn);
  }

  allow(actions: string[], resource: string, conditions: Record<string, object> = {}): void {
    this.lambda.addToRolePolicy(new PolicyStatement({ actions, resources: [resource], conditions }));
  }
}
