import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Lambda } from '../lambda/lambda.ts';
import type { AccessRecord, AnsweredRequest } from '../logs/accessLog.ts';
import { Authorization } from './authorization.ts';
import { compressed, TooLarge } from './compression.ts';
import { type Answer, gatewayAnswer, proxyAnswer, send } from './gatewayAnswer.ts';
import { proxyEvent, type RoutedRequest } from './gatewayEvent.ts';
import { findRoute, pathInStage, type RestApi } from './model.ts';
import { type GatewayRequest, readRequest } from './request.ts';

/** The longest time that API Gateway waits for an integration. */
const integrationTimeoutMs = 29_000;

/** Receives a line for each request, and the line for the access log of its stage. */
interface AccessSink {
  request(request: AnsweredRequest): void;
  logged(group: string, line: string): void;
}

/** Details of a request in progress, for the access log. */
type Noted = Pick<AccessRecord, 'resourcePath' | 'authorizer' | 'integration' | 'gatewayAnswer'> & {
  request?: GatewayRequest;
};

/** Serves the REST API of the template as API Gateway does. */
export class Gateway {
  private readonly api: RestApi;
  private readonly lambdas: Map<string, Lambda>;
  private readonly authorization: Authorization;
  private readonly sink: AccessSink;

  constructor(api: RestApi, lambdas: Map<string, Lambda>, sink: AccessSink) {
    this.api = api;
    this.lambdas = lambdas;
    this.authorization = new Authorization(lambdas);
    this.sink = sink;
  }

  /** Empties the authorizer cache, like FlushStageAuthorizersCache. */
  flushAuthorizers(): void {
    this.authorization.flush();
  }

  async handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now();
    const id = randomUUID();
    const noted: Noted = {};
    let answer: Answer;
    try {
      noted.request = await readRequest(message, id);
      answer = await this.answer(noted.request, noted);
    } catch (error) {
      const type = error instanceof TooLarge ? 'REQUEST_TOO_LARGE' : 'DEFAULT_5XX';
      answer = gatewayAnswer(this.api, type, id);
    }
    send(response, answer, id);
    const ms = performance.now() - started;
    this.sink.request({
      method: message.method ?? '',
      path: (message.url ?? '').split('?')[0] as string,
      headers: message.headers,
      status: answer.status,
      durationMs: ms,
    });
    this.log(noted, answer, ms);
  }

  /** API Gateway does not log a request that it could not read. */
  private log({ request, ...noted }: Noted, { status, body }: Answer, ms: number): void {
    const { accessLog } = this.api;
    if (!accessLog || !request) return;
    const bytes = Buffer.byteLength(body);
    this.sink.logged(accessLog.group, accessLog.lineOf({ ...noted, request, status, bytes, ms }));
  }

  private async answer(request: GatewayRequest, noted: Noted): Promise<Answer> {
    const { api } = this;
    const gatewayError = (type: string) => {
      noted.gatewayAnswer = type;
      return gatewayAnswer(api, type, request.id, noted.authorizer);
    };
    const path = pathInStage(api, request.path);
    const route = path === undefined ? undefined : findRoute(api, request.httpMethod, path);
    if (path === undefined || !route) return gatewayError('MISSING_AUTHENTICATION_TOKEN');
    noted.resourcePath = route.method.resourcePath;
    const passage = { api, request, route, path };
    const { authorizer } = route.method;
    const decision = authorizer
      ? await this.authorization.decide(authorizer, passage)
      : { context: undefined };
    if (decision.context) noted.authorizer = decision.context;
    if ('answer' in decision) return gatewayError(decision.answer);
    const started = performance.now();
    const answer = await this.integrate(passage, decision.context, gatewayError);
    const status = noted.gatewayAnswer === undefined ? answer.status : undefined;
    noted.integration = { status, ms: performance.now() - started };
    return answer;
  }

  private async integrate(
    passage: RoutedRequest,
    context: Record<string, string> | undefined,
    gatewayError: (type: string) => Answer,
  ): Promise<Answer> {
    const { api, request, route } = passage;
    const tooLong = Promise.withResolvers<never>();
    const timer = setTimeout(() => tooLong.reject(new IntegrationTimeout()), integrationTimeoutMs);
    try {
      const invoked = this.lambdas.get(route.method.functionId)?.invoke(proxyEvent(passage, context));
      const result = await Promise.race([invoked, tooLong.promise]);
      const answer = proxyAnswer(result ?? 'null');
      if (!answer) return gatewayError('DEFAULT_5XX');
      return await compressed(answer, request.headers, api.compressedFrom);
    } catch (error) {
      return gatewayError(error instanceof IntegrationTimeout ? 'INTEGRATION_TIMEOUT' : 'DEFAULT_5XX');
    } finally {
      clearTimeout(timer);
    }
  }
}

class IntegrationTimeout extends Error {}

/** Serves several REST APIs at one address. On AWS, each has its own host, or a path of CloudFront. */
export function gatewaysOf(
  apis: readonly RestApi[],
  publicApi: RestApi,
  lambdas: Map<string, Lambda>,
  sink: AccessSink,
) {
  const gateways = new Map(apis.map((api) => [api, new Gateway(api, lambdas, sink)]));
  const apiAt = (url = '/') =>
    apis.find((api) => pathInStage(api, url.split('?')[0] as string) !== undefined) ?? publicApi;
  return {
    /** Passes the request to the API whose stage begins the path. A path outside of all stages goes to the public API. */
    handle: (request: IncomingMessage, response: ServerResponse) =>
      gateways.get(apiAt(request.url))?.handle(request, response),
    flushAuthorizers: () => {
      for (const gateway of gateways.values()) gateway.flushAuthorizers();
    },
  };
}
