import { answerHeaders, requestIdHeader } from '../contract/answerHeaders.ts';
import type { IdempotentAnswer } from '../dynamodb/idempotency.ts';
import { ApiError, type Detail, errorBody, internal } from '../errors/apiError.ts';
import { type Access, allows } from '../keys/access.ts';
import { describeError, log } from '../logs/log.ts';
import type { BaseOperation, Operation, ResponseHeader } from '../resources/operation.ts';
import {
  type ApiEvent,
  type ApiRequest,
  type Caller,
  entityTag,
  isTagMatch,
  type Middleware,
} from './apiEvent.ts';
import { type ListAnswer, linkHeader, recordUrl } from './linkHeader.ts';

class MarkedAnswer<Body> {
  readonly body: Body;

  constructor(body: Body) {
    this.body = body;
  }
}

/** The response to an earlier request that this request repeats. */
export class ReplayedAnswer<Body> extends MarkedAnswer<Body> {}

export const asAnswer = <Body>({ body, replayed }: IdempotentAnswer<Body>): Body | ReplayedAnswer<Body> =>
  replayed ? new ReplayedAnswer(body) : body;

/** The response of an operation that creates a record if there is none, after creating it. */
export class CreatedAnswer<Body> extends MarkedAnswer<Body> {}

/** Derives each header from the response body. An operation declares only headers that its body contains the fields for. */
const derivations: Record<
  ResponseHeader,
  (operation: BaseOperation, event: ApiEvent, body: unknown) => string
> = {
  Location: (operation, event, body) => recordUrl(operation, event, (body as { id: string }).id),
  ETag: (_, __, body) => entityTag(versionOf(body)),
  Link: (operation, event, body) => linkHeader(operation, event, body as ListAnswer),
};

const versionOf = (body: unknown): number => (body as { version: number }).version;

const isShown = ({ bodyScope }: BaseOperation['success'], { caller }: ApiEvent): boolean =>
  bodyScope === undefined || allows((caller as Caller).access, bodyScope);

/** Turns the handler's result into the response that the operation declares. */
export const jsonAnswer = (operation: BaseOperation): Middleware => ({
  after: function jsonAnswerAfter(request) {
    const { success, method } = operation;
    const returned = request.response as unknown;
    const isCreated = returned instanceof CreatedAnswer;
    const body = returned instanceof MarkedAnswer ? returned.body : returned;
    const declared = (success.headers ?? []).map(
      (name) => [name, derivations[name](operation, request.event, body)] as const,
    );
    if (success.status === 204 || (!isCreated && !isShown(success, request.event))) {
      // Location contains the id, which is a part of the omitted body.
      const kept = declared.filter(([name]) => name !== 'Location');
      request.response = { statusCode: 204, headers: Object.fromEntries(kept), body: '' };
      return;
    }
    const headers: Record<string, string> = Object.fromEntries(declared);
    if (returned instanceof ReplayedAnswer) headers['Idempotent-Replayed'] = 'true';
    const { ifNoneMatch } = request.event.requestHeaders ?? {};
    request.response =
      method === 'GET' && ifNoneMatch && isTagMatch(ifNoneMatch, versionOf(body), 'weak')
        ? { statusCode: 304, headers, body: '' }
        : {
            statusCode: isCreated ? 201 : success.status,
            headers: { ...headers, 'Content-Type': 'application/json' },
            body: JSON.stringify(body),
          };
  },
});

/** Operations of the public API can name the owner of an external id. */
type AnyOperation = BaseOperation & Pick<Operation, 'namesOwner'>;

/**
 * Turns an error into the error body, which middy's error handler sends. An error that is not an ApiError is an internal error: it is logged,
 * and the client gets a 500 with the request id.
 */
export const errorAnswer = (operation: AnyOperation): Middleware => ({
  onError: function errorAnswerOnError(request) {
    const { error, event } = request;
    const known = error instanceof ApiError ? error : unexpected(error, event.requestContext?.requestId);
    event.kept = known.kept;
    const detail = readableDetail(event.caller?.access, known);
    const body = {
      ...errorBody(known.status, detail?.message ?? known.message),
      // The console's page marks these fields.
      ...('role' in operation && known.problems.length > 0 ? { problems: known.problems } : {}),
    };
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

export const commonHeaders = (): Middleware => ({
  after: function commonHeadersAfter(request) {
    add(request);
  },
  onError: function commonHeadersOnError(request) {
    add(request);
  },
});

function add({ event, response }: ApiRequest): void {
  if (!response) return;
  response.headers = {
    ...response.headers,
    ...answerHeaders,
    [requestIdHeader]: event.requestContext?.requestId ?? '',
  };
}
