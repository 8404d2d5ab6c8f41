import { Duration, RemovalPolicy, Size, Stack } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  AuthorizationType,
  type CfnRestApi,
  EndpointType,
  IdentitySource,
  LambdaIntegration,
  LogGroupLogDestination,
  RequestAuthorizer,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { operations } from '../../lib/contract/index.ts';
import type { Operation } from '../../lib/contract/operation.ts';
import { testWebhookSubscription } from '../../lib/contract/webhookDeliveries.ts';
import { removalPolicyOf } from '../data/removalPolicy.ts';
import type { StageSettings } from '../stages.ts';
import { acknowledgeFindings } from './acknowledgeFindings.ts';
import { ApiFunction, type FunctionProps } from './apiFunction.ts';
import { authorizerSeconds } from './authorizerSeconds.ts';
import { addGatewayResponses } from './gatewayResponses.ts';
import { GradualDeployment } from './gradualDeployment.ts';
import { tlsOf } from './tls.ts';

/** The version segment of every URL (spec § 9). */
export const version = 'v1';

/** Longer than any request needs, and shorter than API Gateway's integration timeout of 29 s. */
const requestTimeout = Duration.seconds(10);

const timeoutOf = ({ timeoutSeconds }: Operation): Duration =>
  timeoutSeconds === undefined ? requestTimeout : Duration.seconds(timeoutSeconds);

const authorizerTimeout = Duration.seconds(authorizerSeconds);

/**
 * The limit of webhook tests in a second, for all callers together. Above it, API Gateway answers 429. A test occupies a function
 * until its receiver answers, for 15 seconds at most.
 */
const testThrottle = { throttlingRateLimit: 20, throttlingBurstLimit: 40 };

/** Answers of at least this size are compressed for clients that accept it. A smaller answer fits into one packet anyway. */
const compressedFrom = Size.bytes(1024);

const { method: testMethod, path: testPath } = testWebhookSubscription;

const reservedFor = ({ id }: Operation, { testConcurrency }: StageSettings) =>
  id === testWebhookSubscription.id && testConcurrency !== undefined
    ? { reservedConcurrentExecutions: testConcurrency }
    : {};

/** No query string and no header, because they may hold secrets. No free text, because it is not escaped and could break the JSON. */
const accessLog = AccessLogFormat.custom(
  JSON.stringify({
    request_id: '$context.requestId',
    extended_request_id: '$context.extendedRequestId',
    time: '$context.requestTime',
    ip: '$context.identity.sourceIp',
    tls_version: '$context.tlsVersion',
    method: '$context.httpMethod',
    resource: '$context.resourcePath',
    status: '$context.status',
    bytes: '$context.responseLength',
    duration_ms: '$context.responseLatency',
    integration_ms: '$context.integration.latency',
    integration_status: '$context.integration.status',
    authorizer_ms: '$context.authorizer.latency',
    authorizer_status: '$context.authorizer.status',
    authorizer_request_id: '$context.authorizer.requestId',
    key_id: '$context.authorizer.key_id',
    account: '$context.authorizer.account_id',
    gateway_answer: '$context.error.responseType',
    trace_id: '$context.xrayTraceId',
  }),
);

/** The findings of cdk-nag in the API, each with the reason why it is acknowledged. */
const findings = {
  APIG2:
    'The functions validate requests by the contract, and name all problems at once; the gateway names none',
  APIG6:
    'Execution logs hold headers and bodies: keys and data of people. There is an access log without them',
  COG4: 'Callers have API keys and no Cognito users; every method is behind the authorizer of keys',
  'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
    'The role of the account with which API Gateway writes logs; it takes this policy of AWS and no narrower one',
};

/** The REST API: a Lambda and a route for each operation of the contract, all behind the authorizer. */
export class Api extends Construct {
  readonly rest: RestApi;
  /** The alarms that roll a failed release back. */
  readonly releaseAlarms: readonly Alarm[];

  readonly accessLogs: LogGroup;

  constructor(scope: Construct, id: string, props: FunctionProps) {
    super(scope, id);
    const { settings } = props;
    this.accessLogs = new LogGroup(this, 'AccessLogs', {
      retention: settings.logRetentionDays,
      removalPolicy: removalPolicyOf(settings),
    });
    this.rest = new RestApi(this, 'Rest', {
      // The console lists APIs by name only, so the name must tell stages apart.
      restApiName: Stack.of(this).stackName,
      endpointTypes: [EndpointType.REGIONAL],
      minCompressionSize: compressedFrom,
      // With a domain, it is the only address, so that one TLS policy applies to all requests.
      disableExecuteApiEndpoint: settings.domain !== undefined,
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deployOptions: {
        stageName: version,
        tracingEnabled: settings.tracing,
        accessLogDestination: new LogGroupLogDestination(this.accessLogs),
        accessLogFormat: accessLog,
        methodOptions: { [`${testPath}/${testMethod}`]: testThrottle },
      },
    });
    // CDK's class does not have these properties; the CloudFormation resource does.
    Object.assign(this.rest.node.defaultChild as CfnRestApi, tlsOf(settings));
    // CDK's output is wrong when the API has a domain. The output BaseUrl replaces it.
    this.rest.node.tryRemoveChild('Endpoint');
    addGatewayResponses(this.rest);
    const release = this.release(settings);
    this.releaseAlarms = release?.alarms ?? [];
    this.addRoutes(props, release);
    acknowledgeFindings(this.rest, findings);
    if (!settings.firewall)
      acknowledgeFindings(this.rest.deploymentStage, {
        APIG3: 'A firewall costs money and is a setting of the stage, which this one has not set',
      });
  }

  private release({ gradualDeployment: pace }: StageSettings): GradualDeployment | undefined {
    const api = { ApiName: this.rest.restApiName, Stage: version };
    return pace && new GradualDeployment(this, 'Release', { pace, api });
  }

  private addRoutes(props: FunctionProps, release: GradualDeployment | undefined): void {
    const called = (of: ApiFunction): IFunction => release?.liveCodeOf(of) ?? of.lambda;
    const authorizer = new RequestAuthorizer(this, 'Authorizer', {
      handler: called(new ApiFunction(this, 'authorizer', { ...props, timeout: authorizerTimeout })),
      // API Gateway refuses requests without the header, and caches the authorizer's answer by its value.
      identitySources: [IdentitySource.header('X-Api-Key')],
      resultsCacheTtl: Duration.seconds(props.settings.authorizerCacheSeconds),
    });
    for (const operation of operations) {
      const own = { timeout: timeoutOf(operation), ...reservedFor(operation, props.settings) };
      const lambda = called(new ApiFunction(this, operation.id, { ...props, ...own }));
      this.rest.root.resourceForPath(operation.path).addMethod(
        operation.method,
        // One permission for the whole API: two for each method would exceed the size limit of the function's policy.
        new LambdaIntegration(lambda, { scopePermissionToMethod: false }),
        { operationName: operation.id, authorizationType: AuthorizationType.CUSTOM, authorizer },
      );
    }
  }
}
