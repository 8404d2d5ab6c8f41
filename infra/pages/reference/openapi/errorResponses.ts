import { type AnyOperation, operations } from '../../../../lib/contract/index.ts';
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
} from '../../../../lib/errors/apiError.ts';
import type { NeededScope, Operation } from '../../../../lib/resources/operation.ts';
import { hintOf, problemsOf, shown } from '../../../../lib/schemas/problemMessages.ts';
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
import { refTo } from './componentSchema.ts';
import { headersOf, ownerHeader } from './headers.ts';
import type { Json } from './jsonSchema.ts';
import { pathParametersOf } from './parameters.ts';

const bodyOf = ({ status, message }: ApiError): ErrorBody => errorBody(status, message);
const platform = (status: ErrorStatus, message: string) => bodyOf(new ApiError(status, message));

/** The errors of every operation, by status. */
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

/** An error that several operations share, and how it differs from others of its status. */
interface Shared {
  status: DocumentedStatus;
  of?: string;
  body: ErrorBody;
}

const nameOf = ({ status, of = '' }: Shared): string => `Error${status}${of}`;

const refToShared = (error: Shared): Json => ({ $ref: `#/components/responses/${nameOf(error)}` });

/** Returns the problems that the operation's schemas find in its example of a mistake. */
function badRequestOf(operation: AnyOperation): ErrorBody {
  const { id, body, query }: Operation = operation;
  const { error } =
    body?.().safeParse(mistakenBodies[id as keyof typeof mistakenBodies]) ??
    query?.().safeParse(mistakenQueries[id as keyof typeof mistakenQueries]) ??
    {};
  const message = error ? problemsOf(error, shown, hintOf).join('; ') : noParameterMessage('limit');
  return errorBody(400, message);
}

/** Returns the 404 of every operation with a path parameter, except upserts. */
function notFoundOf(operation: Operation): Shared[] {
  const name = pathParametersOf(operation).at(-1);
  if (name === undefined || operation.success.created) return [];
  const { thing, example } = pathParameterNotes[name];
  return [{ status: 404, of: pascal(thing), body: bodyOf(notFound(thing, example)) }];
}

/** Turns `contacts:read` into `ContactsRead`. */
const pascal = (words: string): string =>
  words.replace(/(^|[^A-Za-z]+)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());

function forbiddenOf(scope: NeededScope): Shared {
  if (scope === null) return { status: 403, of: 'Suspended', body: platform(403, suspendedMessage) };
  return { status: 403, of: [scope].flat().map(pascal).join('Or'), body: bodyOf(forbidden(scope)) };
}

/** Returns the errors that the operation shares with others. A status is left out if the operation cannot return it. */
function sharedErrorsOf(operation: AnyOperation): Shared[] {
  const { method, scope, requestHeaders = [], mayConflict }: Operation = operation;
  // The platform checks the size of a body and decompresses it, even if an operation takes none.
  const isCommon = (status: string) => method !== 'GET' || !['413', '415'].includes(status);
  return [
    ...('body' in operation || 'query' in operation
      ? []
      : [{ status: 400, of: 'NoParameters', body: badRequestOf(operation) } as const]),
    forbiddenOf(scope),
    ...notFoundOf(operation),
    ...(mayConflict
      ? [{ status: 409, body: bodyOf(anotherRedelivery(redeliveryNotes.id[1])) } as const]
      : []),
    ...(requestHeaders.includes('If-Match')
      ? [{ status: 412, body: bodyOf(preconditionFailed('"4"')) } as const]
      : []),
    ...(requestHeaders.includes('Idempotency-Key')
      ? [{ status: 422, body: bodyOf(keyReused()) } as const]
      : []),
    ...Object.entries(common)
      .filter(([status]) => isCommon(status))
      .map(([status, body]) => ({ status: Number(status) as DocumentedStatus, body })),
  ];
}

/** The errors that several operations share, by name. */
export const responses: Record<string, Json> = Object.fromEntries(
  operations
    .flatMap(sharedErrorsOf)
    .toSorted((one, other) => one.status - other.status)
    .map((error) => [nameOf(error), response(error.status, error.body)]),
);

const ownerHeaderOf = ({ namesOwner }: Operation): Json => (namesOwner ? ownerHeader : {});

/** Returns every error that an operation can return, by status. */
export const errorsOf = (operation: AnyOperation): Record<string, Json> => ({
  400: response(400, badRequestOf(operation), ownerHeaderOf(operation)),
  ...Object.fromEntries(sharedErrorsOf(operation).map((error) => [error.status, refToShared(error)])),
});
