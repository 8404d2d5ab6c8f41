import { type Duration, RemovalPolicy } from 'aws-cdk-lib';
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
import type { env } from '../lib/env.ts';
import type { StageSettings } from './stages.ts';

export interface ApiFunctionProps {
  /** The folder of its bundle. */
  folder: string;
  timeout: Duration;
  settings: StageSettings;
}

/** One Lambda with its own log group and its own role, which starts with the right to write its log and nothing else. */
export class ApiFunction extends Construct {
  readonly lambda: LambdaFunction;

  constructor(scope: Construct, id: string, { folder, timeout, settings }: ApiFunctionProps) {
    super(scope, id);
    const logGroup = new LogGroup(this, 'Logs', {
      retention: settings.logRetentionDays,
      removalPolicy: settings.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    this.lambda = new LambdaFunction(this, 'Function', {
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(folder),
      handler: 'index.handler',
      memorySize: settings.memoryMb,
      timeout,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      tracing: Tracing.ACTIVE,
    });
  }

  /** Permission and wiring in one gesture: exactly these actions on the table, and its name under this variable. */
  grant(table: TableV2, variable: (typeof env)[keyof typeof env], actions: readonly string[]): void {
    this.lambda.addEnvironment(variable, table.tableName);
    this.lambda.addToRolePolicy(
      new PolicyStatement({
        actions: actions.map((action) => `dynamodb:${action}`),
        resources: [table.tableArn],
      }),
    );
  }
}
