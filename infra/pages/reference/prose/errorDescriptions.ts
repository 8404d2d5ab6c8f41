import type { ErrorBody } from '../../../../lib/errors/apiError.ts';
import type { Notes } from '../../../../lib/resources/notes.ts';

export const errorNotes: Notes<ErrorBody> = {
  error: ['The name of the status, for programs.', 'Not Found'],
  message: [
    'What is wrong and what is allowed, written for people. Do not parse it, because the wording may change.',
    'No contact has the id "con_00000000000000000000000r"',
  ],
};

/** The messages of responses that API Gateway itself returns. infra/stacks/api/gatewayResponses.ts sets them. */
export const platformMessages = {
  invalid:
    'The request is not valid HTTP: percent-encode non-ASCII characters in the URL, as curl -G --data-urlencode does',
  tooLarge: 'The request is too large: a body may have 262144 bytes, or 1048576 for a batch',
  unreadable: 'The body cannot be read; send application/json without compression',
  noRoute: 'There is no such route: check the method and the path',
  throttled: 'Too many requests; wait a moment and try again',
  broken: 'Something went wrong on our side; the request id is in the header X-Request-Id',
  slow: 'The request took too long; the request id is in the header X-Request-Id',
};

/** The statuses of errors that an operation can return, and their conditions. A 502 has the same body as a 500. */
export const errorMeanings = {
  400: 'A parameter, a header, the body or its media type is invalid. The message lists every problem, separated by `; `.',
  401: 'The key is missing, unknown, expired or revoked, or the request contains two different keys. The message is the same in every case.',
  403: 'The key lacks the scope that the message names, its account is suspended, or the operator of this API has paused or blocked the webhook subscription.',
  404: 'The account has no such record.',
  409: 'Another redelivery of this subscription is running. The message names it, and nothing was changed.',
  412: '`If-Match` does not contain the current version, or the `If-None-Match` of a `PUT` does. The message names the current version, if there is one. Nothing was changed.',
  413: 'The request is larger than the platform accepts (6 MB). For a smaller body that exceeds 262,144 bytes, or 1,048,576 for a batch, the API returns 400. From 10 MB on, API Gateway responds with a body that contains only `message`.',
  415: 'The platform could not decompress the body, which it tries with bodies of 1,024 bytes or more. If it can decompress the body, the API returns 400. Send bodies uncompressed.',
  422: 'The `Idempotency-Key` was used for a request with another path or body, or its stored response contains a secret that has been replaced since. Nothing was changed.',
  429: 'The request exceeded a limit of the platform; the API itself sets none. Wait for the number of seconds in `Retry-After`, then try again.',
  500: 'An internal error. You can safely try again if the request has an `Idempotency-Key`, is a batch, or is not a POST.',
  502: 'An internal error that the platform reports. Handle it like a 500.',
  504: 'The request exceeded the time limit of the platform, and may or may not have taken effect. Handle it like a 500.',
} as const;

export type DocumentedStatus = keyof typeof errorMeanings;

export const noParameterMessage = (name: string) => `${name} is not known here (no parameter is allowed)`;
