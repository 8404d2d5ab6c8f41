import type { ErrorBody } from '../../../../lib/errors/apiError.ts';
import type { Notes } from '../../../../lib/resources/notes.ts';

export const errorNotes: Notes<ErrorBody> = {
  error: ['The name of the status, for programs.', 'Not Found'],
  message: [
    'What is wrong and what is allowed, for people. Do not parse it: the wording may change.',
    'No contact has the id "con_00000000000000000000000r"',
  ],
};

/** The messages of responses that API Gateway itself returns. infra/stacks/api/gatewayResponses.ts sets them. */
export const platformMessages = {
  invalid:
    'The request is not valid HTTP: percent-encode what is not ASCII in a URL, as curl -G --data-urlencode does',
  tooLarge: 'The request is too large: a body may have 262144 bytes, and that of a batch 1048576',
  unreadable: 'The body cannot be read; send application/json, not compressed',
  noRoute: 'There is no such route: check the method and the path',
  throttled: 'Too many requests; wait a moment and try again',
  broken: 'Something went wrong on our side; the request id is in the header X-Request-Id',
  slow: 'The request took too long; the request id is in the header X-Request-Id',
};

/** The statuses of errors that an operation can return, and their conditions. A 502 has the same body as a 500. */
export const errorMeanings = {
  400: 'A parameter, a header, the body or its media type is not allowed. The message names all problems, joined by `; `.',
  401: 'The key is missing, unknown, expired or revoked, or the request has two different keys. The message is always the same.',
  403: 'The key lacks the scope, which the message names, its account is suspended, or the operator of this API has stopped the webhook subscription.',
  404: 'The account has no such record.',
  409: 'Another redelivery of the subscription is running. The message names it. Nothing was done.',
  412: '`If-Match` does not name the current version, or `If-None-Match` of a `PUT` names it. The message names the current version, if there is one. Nothing was changed.',
  413: 'The request is larger than the platform accepts (6 MB). A smaller body of more than 262,144 bytes, or 1,048,576 for a batch, is 400. From 10 MB on, API Gateway answers with a body of its own, which has only `message`.',
  415: 'The platform cannot decompress the body, which it tries from 1,024 bytes on. A body that it has decompressed is 400. Send bodies without compression.',
  422: 'The `Idempotency-Key` was used for a request with another path or body, or its answer has a secret that is no longer the newest. Nothing was done.',
  429: 'A limit of the platform was exceeded; this API sets none. Wait for the seconds in `Retry-After`, and try again.',
  500: 'An internal error. Try again if the request has an `Idempotency-Key`, is a batch, or is not a POST.',
  502: 'An internal error, which the platform reports. Handle it like a 500.',
  504: 'The platform’s time limit has passed. The request may have taken effect or not. Handle it like a 500.',
} as const;

export type DocumentedStatus = keyof typeof errorMeanings;

export const noParameterMessage = (name: string) => `${name} is not known here (no parameter is allowed)`;
