import type { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { env } from '../lib/env.ts';
import { permissions } from './permissions.ts';
import { removalPolicyOf } from './removalPolicy.ts';
import type { StageSettings } from './stages.ts';
import type { Tables } from './tables.ts';

/** What every function is made with. */
export interface FunctionProps {
  tables: Tables;
  /** The folder of each function's bundle, by its id. */
  bundles: Map<string, string>;
  settings: StageSettings;
}

/**
 * One Lambda with its own log group and its own role. It may write its log, and do with the tables what `permissions`
 * says of its id.
 */
export class ApiFunction extends Construct {
  readonly lambda: LambdaFunction;

  constructor(
    scope: Construct,
    id: keyof typeof permissions,
    { tables, bundles, settings, timeout }: FunctionProps & { timeout: Duration },
  ) {
    super(scope, id);
    const logGroup = new LogGroup(this, 'Logs', {
      retention: settings.logRetentionDays,
      removalPolicy: removalPolicyOf(settings),
    });
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    this.lambda = new LambdaFunction(this, 'Function', {
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(bundles.get(id) as string),
      handler: 'index.handler',
      memorySize: settings.memoryMb,
      timeout,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      tracing: Tracing.ACTIVE,
    });
    const { keys, records } = permissions[id];
    if (keys) this.grant(tables.keys, env.keysTable, keys);
    if (records) this.grant(tables.records, env.recordsTable, records);
  }

  /** Permission and wiring in one gesture: exactly these actions on the table, and its name under this variable. */
  private grant(table: TableV2, variable: (typeof env)[keyof typeof env], actions: readonly string[]): void {
    this.lambda.addEnvironment(variable, table.tableName);
    this.lambda.addToRolePolicy(
      new PolicyStatement({
        actions: actions.map((action) => `dynamodb:${action}`),
        resources: [table.tableArn],
      }),
    );
  }
}
