import type { ErrorBody } from '../../apiError.ts';
import type { Notes } from './notes.ts';

export const errorNotes: Notes<ErrorBody> = {
  error: ['The name of the status, for programs.', 'Not Found'],
  message: [
    'What is wrong and what is allowed, for people. Do not parse it: it may be put better one day.',
    'No contact has the id "con_00000000000000000000000r"',
  ],
};

/** What API Gateway says by itself; infra/api/gatewayResponses.ts sets it up. */
export const platformMessages = {
  tooLarge: 'The request is too large: a body may have 262144 bytes',
  unreadable: 'The body cannot be read; send application/json, not compressed',
  noRoute: 'There is no such route: check the method and the path',
  throttled: 'Too many requests; wait a moment and try again',
  broken: 'Something went wrong on our side; the request id is in the header X-Request-Id',
  slow: 'The request took too long; the request id is in the header X-Request-Id',
};

/** The statuses of errors that an operation can answer, and when it does. 502 has the name and the words of 500. */
export const errorMeanings = {
  400: 'A parameter, a header, the body or its media type is not what is allowed. All problems are named at once, joined by `; `.',
  401: 'The key is missing, unknown, expired or revoked, or there are two different ones. The message is always the same.',
  403: 'The key lacks the scope, which is named, or its account is suspended.',
  404: 'The account has no such record.',
  412: '`If-Match` names another version than the one that is there, which is named. Nothing was changed.',
  413: 'The request is larger than the platform takes. A body of more than 262,144 bytes is 400 before that. From 10 MB on, API Gateway answers in a body of its own, which has only `message`.',
  415: 'The platform cannot decompress the body, which it tries from 1,024 bytes on. One that it has decompressed is 400: send bodies as they are.',
  422: 'The `Idempotency-Key` was used for a request with another path or body, or was answered with a secret that is no longer the newest. Nothing was done.',
  429: 'The platform’s own limits; this API sets none. Wait as long as `Retry-After` says, and try again.',
  500: 'It is our fault. With an `Idempotency-Key`, or for any other method than POST, just try again.',
  502: 'It is our fault, and the platform says so. It is as 500.',
  504: 'The platform gave up waiting. What was asked for may have been done or not; try again as with 500.',
} as const;

export type DocumentedStatus = keyof typeof errorMeanings;

export const noParameterMessage = (name: string) => `${name} is not known here (no parameter is allowed)`;
