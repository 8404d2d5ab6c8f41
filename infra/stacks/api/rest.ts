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

/** Answers of at least this size are compressed for clients that accept it. A smaller answer fits into one packet anyway. */
const compressedFrom = Size.bytes(1024);

/** No query string and no header, because they may hold secrets. No free text, because it is not escaped and could break the JSON. */
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
  /** The console lists APIs by name only, so the name must tell them and their stages apart. */
  name: string;
  /** Beyond the fields of every access log. */
  logged: Record<string, string>;
  stage: StageOptions & { stageName: string };
  /** The reasons why cdk-nag's findings in this API are acknowledged. */
  findings: Record<string, string>;
}

/** A REST API with what all of ours have in common: TLS, compression, the access log, and the answers of the gateway itself. */
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
  // CDK's class does not have these properties; the CloudFormation resource does.
  Object.assign(rest.node.defaultChild as CfnRestApi, tlsOf(settings));
  // CDK's output is wrong when the API has a domain. The stacks have outputs of their own.
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
    // One permission for the whole API: two for each method would exceed the size limit of the function's policy.
    new LambdaIntegration(lambda, { scopePermissionToMethod: false }),
    { operationName: id, ...options },
  );
}
