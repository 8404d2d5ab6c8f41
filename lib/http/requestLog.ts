import type { Operation } from '../contract/operation.ts';
import { log, setLogContext } from '../log.ts';
import type { ApiRequest, Middleware } from './event.ts';

/** One line for each request, and its id on every line in between. */
export const requestLog = ({ id }: Operation): Middleware => {
  const started = new WeakMap<ApiRequest, number>();
  const finish = (request: ApiRequest) =>
    log.info('request', {
      status: request.response?.statusCode,
      duration_ms: Math.round(performance.now() - (started.get(request) ?? 0)),
    });
  return {
    before: function requestLogBefore(request) {
      started.set(request, performance.now());
      const { requestId, extendedRequestId } = request.event.requestContext ?? {};
      // The client can choose the first id through a header; the extended one is the gateway's alone.
      setLogContext({ operation: id, request_id: requestId, extended_request_id: extendedRequestId });
    },
    after: function requestLogAfter(request) {
      finish(request);
    },
    onError: function requestLogOnError(request) {
      finish(request);
    },
  };
};
