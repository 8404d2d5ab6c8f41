import { type Fields, log, setLogContext } from '../logs/log.ts';
import { timed } from '../logs/metrics.ts';
import type { BaseOperation } from '../resources/operation.ts';
import type { ApiEvent, ApiRequest, Middleware } from './event.ts';

/**
 * Why a request of a key failed, and when it was made: the console of its account shows that. It has nothing that the client sent,
 * and a request that succeeds has none of it.
 */
function failureFields({ caller, kept, requestContext }: ApiEvent, status = 500): Fields {
  if (!caller || status < 400) return {};
  const { message = null, problems = [] } = kept ?? {};
  return {
    time_ms: requestContext.requestTimeEpoch,
    ...(message === null ? {} : { error_message: message }),
    ...(problems.length > 0 ? { problems } : {}),
  };
}

/** Logs one line for each request, and adds its id to all other lines. */
export const requestLog = ({ id }: BaseOperation): Middleware => {
  const started = new WeakMap<ApiRequest, number>();
  const finish = (request: ApiRequest) => {
    const status = request.response?.statusCode;
    const ms = performance.now() - (started.get(request) ?? 0);
    // A session may have started only now.
    log.info('request', {
      status,
      ...sessionFields(request.event),
      ...failureFields(request.event, status),
      ...timed(`${String(status)[0]}xx`, ms),
    });
  };
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

/** The fields of log lines about a request with a session. */
export const sessionFields = ({ session }: ApiEvent): Fields =>
  session ? { session_id: session.session_id, account: session.account } : {};
