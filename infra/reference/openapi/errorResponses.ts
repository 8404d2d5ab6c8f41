import {
  ApiError,
  anotherRedelivery,
  type ErrorBody,
  type ErrorStatus,
  errorBody,
  forbidden,
  internal,
  keyReused,
  notFound,
  preconditionFailed,
  suspendedMessage,
  unauthorized,
} from '../../../lib/apiError.ts';
import type { AnyOperation } from '../../../lib/contract/index.ts';
import type { Operation } from '../../../lib/resources/operation.ts';
import { hintOf, problemsOf, shown } from '../../../lib/values/problemMessages.ts';
import { mistakenBodies } from '../prose/bodies.ts';
import {
  type DocumentedStatus,
  errorMeanings,
  noParameterMessage,
  platformMessages,
} from '../prose/errorDescriptions.ts';
import { headerNotes } from '../prose/headers.ts';
import { mistakenQueries, pathParameterNotes } from '../prose/parameters.ts';
import { redeliveryNotes } from '../prose/webhooks.ts';
import { refTo } from './component.ts';
import { headersOf, ownerHeader } from './headers.ts';
import type { Json } from './json.ts';
import { pathParametersOf } from './parameters.ts';

const bodyOf = ({ status, message }: ApiError): ErrorBody => errorBody(status, message);
const platform = (status: ErrorStatus, message: string) => bodyOf(new ApiError(status, message));

/** The errors that are the same for every operation, by status. */
const common = {
  401: bodyOf(unauthorized()),
  413: platform(413, platformMessages.tooLarge),
  415: platform(415, platformMessages.unreadable),
  429: platform(429, platformMessages.throttled),
  500: bodyOf(internal(headerNotes['X-Request-Id'].example)),
  502: platform(500, platformMessages.broken),
  504: platform(504, platformMessages.slow),
} satisfies Partial<Record<DocumentedStatus, ErrorBody>>;

function response(status: DocumentedStatus, example: ErrorBody, headers: Json = {}): Json {
  return {
    description: errorMeanings[status],
    headers: { ...headers, ...headersOf(status === 429 ? ['Retry-After'] : []) },
    content: { 'application/json': { schema: refTo('ErrorBody'), example } },
  };
}

const nameOf = (status: string): string => `Error${status}`;

/** The answers that are the same for every operation, by their names. */
export const responses: Record<string, Json> = Object.fromEntries(
  Object.entries(common).map(([status, body]) => [
    nameOf(status),
    response(Number(status) as DocumentedStatus, body),
  ]),
);

/** The problems that the operation's schemas find in its example of a mistake. */
function badRequestOf(operation: AnyOperation): ErrorBody {
  const { error } =
    'body' in operation
      ? operation.body().safeParse(mistakenBodies[operation.id])
      : 'query' in operation
        ? operation.query().safeParse(mistakenQueries[operation.id])
        : {};
  const message = error ? problemsOf(error, shown, hintOf).join('; ') : noParameterMessage('limit');
  return errorBody(400, message);
}

/** What a path names can be unknown, unless the operation creates it. */
function notFoundOf(operation: Operation): ErrorBody | undefined {
  const name = pathParametersOf(operation).at(-1);
  if (name === undefined || operation.success.created) return undefined;
  const { thing, example } = pathParameterNotes[name];
  return bodyOf(notFound(thing, example));
}

/** The errors with a message for this operation. A status is left out if the operation cannot answer it. */
function ownErrors(operation: AnyOperation): Partial<Record<DocumentedStatus, ErrorBody>> {
  const { scope, requestHeaders = [], mayConflict }: Operation = operation;
  const missing = notFoundOf(operation);
  return {
    400: badRequestOf(operation),
    403: scope === null ? platform(403, suspendedMessage) : bodyOf(forbidden(scope)),
    ...(missing ? { 404: missing } : {}),
    ...(mayConflict ? { 409: bodyOf(anotherRedelivery(redeliveryNotes.id[1])) } : {}),
    ...(requestHeaders.includes('If-Match') ? { 412: bodyOf(preconditionFailed('"4"')) } : {}),
    ...(requestHeaders.includes('Idempotency-Key') ? { 422: bodyOf(keyReused()) } : {}),
  };
}

const ownerHeaderOf = ({ namesOwner }: Operation): Json => (namesOwner ? ownerHeader : {});

/** Every error that an operation can answer, by its status. */
export function errorsOf(operation: AnyOperation): Record<string, Json> {
  // The platform checks the size of a body and decompresses it, also for an operation that takes none.
  const isShared = (status: string) => operation.method !== 'GET' || !['413', '415'].includes(status);
  const shared = Object.keys(common).filter(isShared);
  return {
    ...Object.fromEntries(
      Object.entries(ownErrors(operation)).map(([status, body]) => [
        status,
        response(Number(status) as DocumentedStatus, body, status === '400' ? ownerHeaderOf(operation) : {}),
      ]),
    ),
    ...Object.fromEntries(
      shared.map((status) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]),
    ),
  };
}
