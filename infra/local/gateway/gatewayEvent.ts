import type {
  APIGatewayEventRequestContextWithAuthorizer,
  APIGatewayProxyEvent,
  APIGatewayRequestAuthorizerEvent,
} from 'aws-lambda';
import { clfTime } from '../logs/accessLog.ts';
import { awsEnvironment } from '../template/template.ts';
import type { RestApi, Route } from './model.ts';
import type { GatewayRequest } from './request.ts';

type AuthorizerContext = Record<string, string>;
type RequestContext = APIGatewayEventRequestContextWithAuthorizer<AuthorizerContext | undefined>;

export interface RoutedRequest {
  api: RestApi;
  request: GatewayRequest;
  route: Route;
  /** The path below the stage. */
  path: string;
}

/** Returns the last value of each name, for the fields without `multiValue`. */
const single = (multi: Record<string, string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(multi).map(([name, values]) => [name, values.at(-1) as string]));

/** API Gateway sends null instead of an empty object. */
const orNull = <T extends object>(value: T): T | null => (Object.keys(value).length > 0 ? value : null);

/** The event of a proxy integration. https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html */
export function proxyEvent(
  passage: RoutedRequest,
  authorizer: AuthorizerContext | undefined,
): APIGatewayProxyEvent {
  const { request, route, path } = passage;
  return {
    resource: route.method.resourcePath,
    path,
    httpMethod: request.httpMethod,
    headers: single(request.headers),
    multiValueHeaders: request.headers,
    queryStringParameters: orNull(single(request.query)),
    multiValueQueryStringParameters: orNull(request.query),
    pathParameters: orNull(route.params),
    stageVariables: null,
    requestContext: requestContext(passage, authorizer) as APIGatewayProxyEvent['requestContext'],
    body: request.body,
    isBase64Encoded: false,
  };
}

/** The event of an authorizer of type REQUEST. https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-input.html */
export function authorizerEvent(passage: RoutedRequest): APIGatewayRequestAuthorizerEvent {
  const { request, route, path } = passage;
  return {
    type: 'REQUEST',
    methodArn: methodArn(passage),
    resource: route.method.resourcePath,
    path,
    httpMethod: request.httpMethod,
    headers: single(request.headers),
    multiValueHeaders: request.headers,
    queryStringParameters: single(request.query),
    multiValueQueryStringParameters: request.query,
    pathParameters: route.params,
    stageVariables: {},
    requestContext: requestContext(passage, undefined),
  } as APIGatewayRequestAuthorizerEvent;
}

/** The ARN that the Resource of a policy must match: `arn:aws:execute-api:<region>:<account>:<api>/<stage>/<method>/<path>` */
export const methodArn = ({ api, request, path }: RoutedRequest): string =>
  `arn:${awsEnvironment.partition}:execute-api:${awsEnvironment.region}:${awsEnvironment.account}:${api.id}/${api.stage}/${request.httpMethod}${path}`;

function requestContext(
  { api, request, route, path }: RoutedRequest,
  authorizer: AuthorizerContext | undefined,
): RequestContext {
  const headers = single(request.headers);
  const header = (name: string) => Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const host = header('host') ?? request.address;
  return {
    accountId: awsEnvironment.account,
    apiId: api.id,
    ...(authorizer ? { authorizer } : ({} as { authorizer: undefined })),
    domainName: host,
    domainPrefix: host.split('.')[0] as string,
    extendedRequestId: request.extendedId,
    httpMethod: request.httpMethod,
    identity: { ...noIdentity, sourceIp: request.sourceIp, userAgent: header('user-agent') ?? null },
    path: path === '/' ? `/${api.stage}` : `/${api.stage}${path}`,
    protocol: 'HTTP/1.1',
    requestId: request.id,
    requestTime: clfTime(new Date(request.receivedAt)),
    requestTimeEpoch: request.receivedAt,
    resourceId: route.method.resourceId,
    resourcePath: route.method.resourcePath,
    stage: api.stage,
  };
}

/** Callers have no AWS identity. */
const noIdentity = {
  accessKey: null,
  accountId: null,
  apiKey: null,
  apiKeyId: null,
  caller: null,
  clientCert: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  user: null,
  userArn: null,
};
