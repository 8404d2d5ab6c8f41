import { StartError } from '../process/startError.ts';
import { assertKnownProperties } from '../template/assertKnownProperties.ts';
import type { JsonObject } from '../template/intrinsics.ts';
import { idInArn, type Resource, rootResourceId, type Template } from '../template/template.ts';

/** A method of the REST API: where it is and which function answers. */
export interface Method {
  httpMethod: string;
  /** The path as it was declared, with `{name}` for a parameter. */
  resourcePath: string;
  resourceId: string;
  functionId: string;
  authorizer: Authorizer | undefined;
  /** How many requests may begin at once where the method has a throttle of its own: it has one because its function waits for long. */
  burst?: number | undefined;
}

export interface Authorizer {
  id: string;
  functionId: string;
  /** The header whose value is the identity; without it the request is refused, and with it the answer is cached. */
  identityHeader: string;
  cacheMs: number;
}

export interface GatewayAnswer {
  /** Undefined for the two defaults, which leave each case the status it has. */
  status: number | undefined;
  /** `requestId` in place of a literal value stands for the id of the request. */
  headers: Record<string, string | { context: 'requestId' }>;
  body: string;
}

/** A REST API as its template describes it. */
export interface RestApi {
  id: string;
  stage: string;
  methods: Method[];
  /** The size in bytes from which on bodies are compressed and decompressed; undefined where answers are not compressed. */
  compressedFrom: number | undefined;
  answers: Map<string, GatewayAnswer>;
}

const text = ({ properties }: Resource, name: string): string => String(properties[name] ?? '');

/** @throws StartError when the template uses a feature of API Gateway that the local stack does not have */
export function readRestApi(template: Template): RestApi {
  const [api] = template.resources('AWS::ApiGateway::RestApi');
  const [stage] = template.resources('AWS::ApiGateway::Stage');
  if (!api || !stage) throw new StartError('The template has no REST API with a stage');
  const bursts = burstsOf(stage);
  const paths = pathsOf(template, api.id);
  const authorizers = new Map(
    template
      .resources('AWS::ApiGateway::Authorizer')
      .map((resource) => [resource.id, authorizerOf(resource)]),
  );
  return {
    id: api.id,
    stage: text(stage, 'StageName'),
    compressedFrom: api.properties.MinimumCompressionSize as number | undefined,
    methods: template.resources('AWS::ApiGateway::Method').map((method) => {
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
      template
        .resources('AWS::ApiGateway::GatewayResponse')
        .map((resource) => [text(resource, 'ResponseType'), answerOf(resource)]),
    ),
  };
}

/**
 * The bursts that methods take, by method and path. Throttles are limits of AWS's for all callers of a deployed API together, like
 * those of the account, and nobody is refused by one here: one machine has nobody to protect, and would refuse who only tries
 * something quickly. Whatever else a method is set to is not passed over.
 */
function burstsOf({ id, properties }: Resource): Map<string, number> {
  const all = (properties.MethodSettings ?? []) as JsonObject[];
  for (const settings of all)
    assertKnownProperties(`A method setting of ${id}`, settings, [
      'HttpMethod',
      'ResourcePath',
      'ThrottlingBurstLimit',
      'ThrottlingRateLimit',
      // Said by CDK with every setting, and off.
      'DataTraceEnabled',
    ]);
  return new Map(
    all.map(({ HttpMethod, ResourcePath, ThrottlingBurstLimit }) => [
      `${HttpMethod} ${String(ResourcePath).slice(1).replaceAll('~1', '/')}`,
      Number(ThrottlingBurstLimit),
    ]),
  );
}

/** The whole path of every resource; in the template each knows only its last part and its parent. */
function pathsOf(template: Template, apiId: string): Map<string, string> {
  const resources = new Map(
    template.resources('AWS::ApiGateway::Resource').map((resource) => [resource.id, resource]),
  );
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

function answerOf(resource: Resource): GatewayAnswer {
  const { StatusCode, ResponseParameters = {}, ResponseTemplates = {} } = resource.properties;
  const body = (ResponseTemplates as Record<string, string>)['application/json'] ?? '';
  if (body.includes('$')) throw new StartError(`${resource.id} has a template with variables`);
  const headers = Object.entries(ResponseParameters as Record<string, string>).map(([name, value]) => {
    const literal = /^'(.*)'$/.exec(value)?.[1];
    if (!name.startsWith(headerPrefix) || (literal === undefined && value !== 'context.requestId'))
      throw new StartError(`${resource.id} maps ${name} from ${value}`);
    return [name.slice(headerPrefix.length), literal ?? { context: 'requestId' as const }];
  });
  return { status: StatusCode ? Number(StatusCode) : undefined, headers: Object.fromEntries(headers), body };
}
