import type { Lambda } from '../lambda/lambda.ts';
import { type AccessSink, Gateway } from './gateway.ts';
import type { RestApi } from './model.ts';
import { pathInStage } from './route.ts';
import type { Listener } from './server.ts';

export interface Gateways {
  /** Answers with the API whose stage the path begins with. The public API answers a path in no stage. */
  handle: Listener;
  /** Empties the authorizer caches: FlushStageAuthorizersCache. */
  flushAuthorizers: () => void;
}

/** Serves several REST APIs at one address. On AWS each has a host of its own, or a path of CloudFront. */
export function gatewaysOf(
  apis: readonly RestApi[],
  publicApi: RestApi,
  lambdas: Map<string, Lambda>,
  sink: AccessSink,
): Gateways {
  const gateways = new Map(apis.map((api) => [api, new Gateway(api, lambdas, sink)]));
  const apiAt = (url = '/') =>
    apis.find((api) => pathInStage(api, url.split('?')[0] as string) !== undefined) ?? publicApi;
  return {
    handle: (request, response) => gateways.get(apiAt(request.url))?.handle(request, response),
    flushAuthorizers: () => {
      for (const gateway of gateways.values()) gateway.flushAuthorizers();
    },
  };
}
