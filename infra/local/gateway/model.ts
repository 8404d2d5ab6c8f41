import { type AccessLog, readAccessLog } from '../logs/accessLog.ts';
import { StartError } from '../process/startError.ts';
import type { JsonObject } from '../template/intrinsics.ts';
import { assertKnownProperties } from '../template/resourceTypes.ts';
import { idInArn, type Resource, rootResourceId, type Template } from '../template/template.ts';

export interface Method {
  httpMethod: string;
  /** Contains `{name}` for each parameter. */
  resourcePath: string;
  resourceId: string;
  functionId: string;
  authorizer: Authorizer | undefined;
  /** The burst limit of a method with its own throttle. Methods have one if their function may wait for a long time. */
  burst?: number | undefined;
}

export interface Authorizer {
  id: string;
  functionId: string;
  /** The header with the identity. Requests without it are refused, and its value is the key of the cache. */
  identityHeader: string;
  cacheMs: number;
}

interface GatewayAnswer {
  /** Undefined for the two defaults, which keep the default status of each type. */
  status: number | undefined;
  /** A literal value, or the request id. */
  headers: Record<string, string | { context: 'requestId' }>;
  body: string;
}

export interface RestApi {
  id: string;
  stage: string;
  methods: Method[];
  /** MinimumCompressionSize in bytes; undefined if responses are not compressed. */
  compressedFrom: number | undefined;
  answers: Map<string, GatewayAnswer>;
  /** Undefined if requests are not logged. */
  accessLog?: AccessLog | undefined;
}

const text = ({ properties }: Resource, name: string): string => String(properties[name] ?? '');

/** Reads the REST APIs of the templates. @throws StartError if a template uses a feature of API Gateway that the local stack does not support */
export function readRestApis(template: Template): RestApi[] {
  const apis = template.resources('AWS::ApiGateway::RestApi').map((api) => readRestApi(template, api));
  const stages = apis.map(({ stage }) => stage);
  if (new Set(stages).size < stages.length)
    throw new StartError(
      `The local stack tells REST APIs apart by their stages, and two have the same name: ${stages.join(', ')}`,
    );
  return apis;
}

type ApiType = Extract<Resource['type'], `AWS::ApiGateway::${string}`>;

function readRestApi(template: Template, api: Resource): RestApi {
  const ofApi = (type: ApiType) =>
    template.resources(type).filter((resource) => text(resource, 'RestApiId') === api.id);
  const [stage] = ofApi('AWS::ApiGateway::Stage');
  if (!stage) throw new StartError(`The REST API ${api.id} has no stage`);
  const bursts = burstsOf(stage);
  const paths = pathsOf(ofApi('AWS::ApiGateway::Resource'), api.id);
  const authorizers = new Map(
    ofApi('AWS::ApiGateway::Authorizer').map((resource) => [resource.id, authorizerOf(resource)]),
  );
  return {
    id: api.id,
    stage: text(stage, 'StageName'),
    accessLog: readAccessLog(stage),
    compressedFrom: api.properties.MinimumCompressionSize as number | undefined,
    methods: ofApi('AWS::ApiGateway::Method').map((method) => {
      const { Type, Uri } = method.properties.Integration as { Type: string; Uri: string };
      if (Type !== 'AWS_PROXY') throw new StartError(`${method.id} has an integration of type ${Type}`);
      const httpMethod = text(method, 'HttpMethod');
      const resourcePath = paths.get(text(method, 'ResourceId')) as string;
      return {
        httpMethod,
        resourceId: text(method, 'ResourceId'),
        resourcePath,
        burst: bursts.get(`${httpMethod} ${resourcePath}`),
        functionId: idInArn(Uri),
        authorizer: authorizers.get(text(method, 'AuthorizerId')),
      };
    }),
    answers: new Map(
      ofApi('AWS::ApiGateway::GatewayResponse').map((resource) => [
        text(resource, 'ResponseType'),
        answerOf(resource),
      ]),
    ),
  };
}

/**
 * Returns burst limits by method and path. The local stack does not enforce throttles: they protect a deployed API that many callers share, and
 * here they would only refuse quick tests.
 */
function burstsOf({ id, properties }: Resource): Map<string, number> {
  const all = (properties.MethodSettings ?? []) as JsonObject[];
  for (const settings of all)
    assertKnownProperties(`A method setting of ${id}`, settings, [
      'HttpMethod',
      'ResourcePath',
      'ThrottlingBurstLimit',
      'ThrottlingRateLimit',
      // CDK always sets it, to false.
      'DataTraceEnabled',
    ]);
  return new Map(
    all.map(({ HttpMethod, ResourcePath, ThrottlingBurstLimit }) => [
      `${HttpMethod} ${String(ResourcePath).slice(1).replaceAll('~1', '/')}`,
      Number(ThrottlingBurstLimit),
    ]),
  );
}

/** Returns the full path of each resource by its id. The template contains only the last segment and the parent of each. */
function pathsOf(ofApi: readonly Resource[], apiId: string): Map<string, string> {
  const resources = new Map(ofApi.map((resource) => [resource.id, resource]));
  const pathOf = (id: string): string => {
    const resource = resources.get(id);
    return resource ? `${pathOf(text(resource, 'ParentId'))}/${text(resource, 'PathPart')}` : '';
  };
  return new Map([
    [rootResourceId(apiId), '/'],
    ...[...resources.keys()].map((id): [string, string] => [id, pathOf(id)]),
  ]);
}

function authorizerOf(resource: Resource): Authorizer {
  const identityHeader = /^method\.request\.header\.([^,]+)$/.exec(text(resource, 'IdentitySource'))?.[1];
  if (text(resource, 'Type') !== 'REQUEST' || !identityHeader)
    throw new StartError(
      `${resource.id} is not an authorizer of type REQUEST with one header as its identity source`,
    );
  return {
    id: resource.id,
    functionId: idInArn(text(resource, 'AuthorizerUri')),
    identityHeader,
    cacheMs: Number(resource.properties.AuthorizerResultTtlInSeconds ?? 300) * 1000,
  };
}

const headerPrefix = 'gatewayresponse.header.';

/**
 * Matches the authorizer's variables in the template of a gateway response. A variable that the authorizer did not set counts as empty, which
 * AWS does not document.
 */
export const authorizerVariable = /\$context\.authorizer\.(\w+)/g;

function answerOf(resource: Resource): GatewayAnswer {
  const { StatusCode, ResponseParameters = {}, ResponseTemplates = {} } = resource.properties;
  const body = (ResponseTemplates as Record<string, string>)['application/json'] ?? '';
  if (body.replace(authorizerVariable, '').includes('$'))
    throw new StartError(`${resource.id} has a template with other variables than those of the authorizer`);
  const headers = Object.entries(ResponseParameters as Record<string, string>).map(([name, value]) => {
    const literal = /^'(.*)'$/.exec(value)?.[1];
    if (!name.startsWith(headerPrefix) || (literal === undefined && value !== 'context.requestId'))
      throw new StartError(`${resource.id} maps ${name} from ${value}`);
    return [name.slice(headerPrefix.length), literal ?? { context: 'requestId' as const }];
  });
  return { status: StatusCode ? Number(StatusCode) : undefined, headers: Object.fromEntries(headers), body };
}

export interface Route {
  method: Method;
  params: Record<string, string>;
}

/** Returns the path below the stage, such as `/contacts/con_1`; undefined for a path outside the stage. */
export function pathInStage({ stage }: RestApi, path: string): string | undefined {
  if (path === `/${stage}`) return '/';
  return path.startsWith(`/${stage}/`) ? path.slice(stage.length + 1) : undefined;
}

/** Returns the method for a path, if there is one. As in API Gateway, a trailing slash is ignored, and literal segments win over parameters. */
export function findRoute({ methods }: RestApi, httpMethod: string, path: string): Route | undefined {
  const parts = partsOf(path);
  const routes = methods.flatMap((method) => {
    const params = method.httpMethod === httpMethod ? match(partsOf(method.resourcePath), parts) : undefined;
    return params ? [{ method, params }] : [];
  });
  return routes.sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)[0];
}

const partsOf = (path: string): string[] => path.replace(/\/$/, '').split('/').slice(1);

function match(declared: string[], requested: string[]): Record<string, string> | undefined {
  if (declared.length !== requested.length) return undefined;
  const params: Record<string, string> = {};
  for (const [i, part] of declared.entries()) {
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    if (name && requested[i] !== '') params[name] = requested[i] as string;
    else if (part !== requested[i]) return undefined;
  }
  return params;
}
