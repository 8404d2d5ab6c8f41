import { ApiError, errorBody, internal } from '../apiError.ts';
import { type Access, allows } from '../keys/access.ts';
import { describeError, log } from '../log.ts';
import type { Middleware } from './event.ts';

/**
 * Turns an error into the error body, which middy's error handler sends. An error that is no ApiError is a fault of ours: it is
 * logged, and the client gets a 500 with the request id.
 */
export const errorAnswer = (): Middleware => ({
  onError: function errorAnswerOnError(request) {
    const { error, event } = request;
    const known = error instanceof ApiError ? error : unexpected(error, event.requestContext?.requestId);
    const body = errorBody(known.status, messageFor(event.caller?.access, known));
    request.error = Object.assign(new Error(JSON.stringify(body)), {
      statusCode: known.status,
      expose: true,
    });
  },
});

const messageFor = (access: Access | undefined, { message, detail }: ApiError): string =>
  detail && access && allows(access, detail.scope) ? detail.message : message;

function unexpected(error: unknown, requestId: string | undefined): ApiError {
  log.error('a request failed', { error: describeError(error) });
  return internal(requestId);
}
