import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AuthorizationType,
  IdentitySource,
  RequestAuthorizer,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { operations } from '../../../lib/contract/index.ts';
import { acknowledgeFindings } from '../acknowledgeFindings.ts';
import type { StageSettings } from '../stages/stages.ts';
import { ApiFunction, type FunctionProps, logsOf } from './apiFunction.ts';
import { authorizerSeconds } from './authorizerSeconds.ts';
import { GradualDeployment } from './gradualDeployment.ts';
import { reservedForTests, testThrottles } from './receiverTests.ts';
import { addRoute, restOf, timeoutOf } from './rest.ts';

export const version = 'v1';

const authorizerTimeout = Duration.seconds(authorizerSeconds);

/** The fields of the authorizer's context that the access log contains. */
const logged = {
  authorizer_ms: '$context.authorizer.latency',
  authorizer_status: '$context.authorizer.status',
  authorizer_request_id: '$context.authorizer.requestId',
  key_id: '$context.authorizer.key_id',
  account: '$context.authorizer.account_id',
  secret: '$context.authorizer.secret',
};

/** The acknowledged findings of cdk-nag in this API, each with the reason. */
const findings = {
  COG4: 'Callers have API keys and no Cognito users; every method is behind the authorizer of keys',
  'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
    'The role of the account with which API Gateway writes logs; it takes this policy of AWS and no narrower one',
};

/** The REST API: a Lambda and a route for each operation of the contract, all behind the authorizer. */
export class Api extends Construct {
  readonly rest: RestApi;
  /** The alarms that roll back a failed release. */
  readonly releaseAlarms: readonly Alarm[];

  readonly accessLogs: LogGroup;
  /** One log group for all operations. Separate groups would each need a filter as well, and a stack can have only 500 resources. */
  readonly logs: LogGroup;
  readonly operations = new Map<string, ApiFunction['lambda']>();
  readonly authorizer: ApiFunction['lambda'];

  constructor(scope: Construct, id: string, props: FunctionProps) {
    super(scope, id);
    const { settings } = props;
    const { rest, accessLogs } = restOf(this, {
      settings,
      name: Stack.of(this).stackName,
      // A custom domain is the only address, so that one TLS policy applies to all requests.
      disableExecuteApiEndpoint: settings.domain !== undefined,
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      stage: { stageName: version, methodOptions: testThrottles(operations) },
      logged,
      findings,
    });
    this.rest = rest;
    this.accessLogs = accessLogs;
    this.logs = logsOf(this, settings);
    const release = this.release(settings);
    this.releaseAlarms = release?.alarms ?? [];
    this.authorizer = this.addRoutes(props, release);
    if (!settings.firewall)
      acknowledgeFindings(rest.deploymentStage, {
        APIG3: 'A firewall costs money and is a setting of the stage, which this one has not set',
      });
  }

  private release({ gradualDeployment: pace }: StageSettings): GradualDeployment | undefined {
    const api = { ApiName: this.rest.restApiName, Stage: version };
    return pace && new GradualDeployment(this, 'Release', { pace, api });
  }

  /** Adds the routes. @returns the authorizer's function */
  private addRoutes(props: FunctionProps, release: GradualDeployment | undefined): ApiFunction['lambda'] {
    const called = (of: ApiFunction): IFunction => release?.liveCodeOf(of) ?? of.lambda;
    const checks = new ApiFunction(this, 'authorizer', { ...props, timeout: authorizerTimeout });
    const authorizer = new RequestAuthorizer(this, 'Authorizer', {
      handler: called(checks),
      // API Gateway refuses requests without this header, and caches the authorizer's response by its value.
      identitySources: [IdentitySource.header('X-Api-Key')],
      resultsCacheTtl: Duration.seconds(props.settings.authorizerCacheSeconds),
    });
    for (const operation of operations) {
      const own = { timeout: timeoutOf(operation), ...reservedForTests(operation, props.settings) };
      const made = new ApiFunction(this, operation.id, { ...props, ...own, logs: this.logs });
      this.operations.set(operation.id, made.lambda);
      const lambda = called(made);
      addRoute(this.rest, operation, lambda, {
        authorizationType: AuthorizationType.CUSTOM,
        authorizer,
      });
    }
    return checks.lambda;
  }
}
