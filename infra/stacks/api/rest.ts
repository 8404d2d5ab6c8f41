import { Duration, Size } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  type CfnRestApi,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  type MethodOptions,
  RestApi,
  type RestApiProps,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { BaseOperation } from '../../../lib/resources/operation.ts';
import { acknowledgeFindings } from '../acknowledgeFindings.ts';
import { removalPolicyOf } from '../data/removalPolicy.ts';
import type { StageSettings } from '../stages/stages.ts';
import { addGatewayResponses } from './gatewayResponses.ts';
import { tlsOf } from './tls.ts';

/** Longer than any request needs, and shorter than API Gateway's integration timeout of 29 s. */
export const requestTimeout = Duration.seconds(10);

export const timeoutOf = ({ timeoutSeconds }: BaseOperation): Duration =>
  timeoutSeconds === undefined ? requestTimeout : Duration.seconds(timeoutSeconds);

/** Responses of at least this size are compressed for clients that accept it. A smaller response fits into one packet anyway. */
const compressedFrom = Size.bytes(1024);

/** Contains no query string and no header, because they may contain secrets, and no free text, because it is not escaped and could break the JSON. */
const accessLogOf = (more: Record<string, string>): AccessLogFormat =>
  AccessLogFormat.custom(
    JSON.stringify({
      request_id: '$context.requestId',
      extended_request_id: '$context.extendedRequestId',
      time: '$context.requestTime',
      time_ms: '$context.requestTimeEpoch',
      ip: '$context.identity.sourceIp',
      tls_version: '$context.tlsVersion',
      method: '$context.httpMethod',
      resource: '$context.resourcePath',
      status: '$context.status',
      bytes: '$context.responseLength',
      duration_ms: '$context.responseLatency',
      integration_ms: '$context.integration.latency',
      integration_status: '$context.integration.status',
      ...more,
      gateway_answer: '$context.error.responseType',
      trace_id: '$context.xrayTraceId',
    }),
  );

interface RestProps {
  settings: StageSettings;
  /** The console lists APIs by name only, so the name must distinguish both the APIs and their stages. */
  name: string;
  /** Fields in addition to those of every access log. */
  logged: Record<string, string>;
  stage: StageOptions & { stageName: string };
  /** The acknowledged findings of cdk-nag in this API, with the reasons. */
  findings: Record<string, string>;
}

/** Returns a REST API with everything that ours share: TLS, compression, the access log, and the gateway responses. */
export function restOf(
  scope: Construct,
  { settings, name, logged, stage, findings, ...more }: RestProps & Omit<RestApiProps, 'deployOptions'>,
): { rest: RestApi; accessLogs: LogGroup } {
  const accessLogs = new LogGroup(scope, 'AccessLogs', {
    retention: settings.logRetentionDays,
    removalPolicy: removalPolicyOf(settings),
  });
  const rest = new RestApi(scope, 'Rest', {
    restApiName: name,
    endpointTypes: [EndpointType.REGIONAL],
    minCompressionSize: compressedFrom,
    ...more,
    deployOptions: {
      ...stage,
      tracingEnabled: settings.tracing,
      accessLogDestination: new LogGroupLogDestination(accessLogs),
      accessLogFormat: accessLogOf(logged),
    },
  });
  // CDK's class lacks these properties, but the CloudFormation resource has them.
  Object.assign(rest.node.defaultChild as CfnRestApi, tlsOf(settings));
  // CDK's output is wrong if the API has a domain. The stacks have their own outputs.
  rest.node.tryRemoveChild('Endpoint');
  addGatewayResponses(rest);
  acknowledgeFindings(rest, {
    APIG2:
      'The functions validate requests by the contract, and name all problems at once; the gateway names none',
    APIG6:
      'Execution logs hold headers and bodies: keys and data of people. There is an access log without them',
    ...findings,
  });
  return { rest, accessLogs };
}

export function addRoute(
  rest: RestApi,
  { id, method, path }: BaseOperation,
  lambda: IFunction,
  options: MethodOptions,
): void {
  rest.root.resourceForPath(path).addMethod(
    method,
    // One permission for the whole API, because two for each method would exceed the size limit of the function's policy.
    new LambdaIntegration(lambda, { scopePermissionToMethod: false }),
    { operationName: id, ...options },
  );
}
