import { ApiError, type Detail, errorBody, internal } from '../errors/apiError.ts';
import { type Access, allows } from '../keys/access.ts';
import { describeError, log } from '../logs/log.ts';
import type { BaseOperation, Operation } from '../resources/operation.ts';
import type { ApiEvent, Middleware } from './event.ts';
import { recordUrl } from './links/urls.ts';

/** An operation of the public API may name the owner of an external id. */
type AnyOperation = BaseOperation & Pick<Operation, 'namesOwner'>;

/**
 * Turns an error into the error body, which middy's error handler sends. An error that is not an ApiError is a fault of ours: it is
 * logged, and the client gets a 500 with the request id.
 */
export const errorAnswer = (operation: AnyOperation): Middleware => ({
  onError: function errorAnswerOnError(request) {
    const { error, event } = request;
    const known = error instanceof ApiError ? error : unexpected(error, event.requestContext?.requestId);
    event.kept = known.kept;
    const detail = readableDetail(event.caller?.access, known);
    const body = errorBody(known.status, detail?.message ?? known.message);
    request.error = Object.assign(new Error(JSON.stringify(body)), {
      statusCode: known.status,
      expose: true,
      headers: ownerHeaders(operation, event, detail),
    });
  },
});

const readableDetail = (access: Access | undefined, { detail }: ApiError): Detail | undefined =>
  detail && access && allows(access, detail.scope) ? detail : undefined;

const ownerHeaders = (operation: AnyOperation, event: ApiEvent, detail: Detail | undefined) =>
  operation.namesOwner && detail?.record !== undefined
    ? { Location: recordUrl(operation, event, detail.record) }
    : {};

function unexpected(error: unknown, requestId: string | undefined): ApiError {
  log.error('a request failed', { error: describeError(error) });
  return internal(requestId);
}
