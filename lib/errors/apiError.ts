import { type Constant, constant, ours, type Said, said, saidOf, theirs } from './constant.ts';
import {
  type Kept,
  keptOf,
  keptText,
  type Problem,
  problemOf,
  problemOfNoField,
  type ShownProblem,
  shownProblem,
} from './problem.ts';
import { quoted } from './quoted.ts';

/** Every status with a body that a client can meet, and its short name: the standard reason phrase (RFC 9110 § 15). */
export const errorNames = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  504: 'Gateway Timeout',
} as const;

export type ErrorStatus = keyof typeof errorNames;

/** The body of every error, from every layer (docs/guide.md, "Errors"): these two strings and nothing else. */
export interface ErrorBody {
  error: string;
  message: string;
}

export const errorBody = <Status extends ErrorStatus>(
  status: Status,
  message: string,
): { error: (typeof errorNames)[Status]; message: string } => ({ error: errorNames[status], message });

/** The one message of a missing, unknown, expired or revoked key: different messages would help only a thief. */
export const unauthorizedMessage = constant`Missing or invalid API key`;

/** Stored data in a message, and the scope of the keys that may read it. */
export interface Detail {
  scope: string;
  message: string;
  /** The id of the record that the message is about. Its address is sent in `Location`. */
  record?: string;
}

/**
 * An error whose message every client may read. A key with the scope of `detail` gets what is in `detail` instead.
 */
export class ApiError extends Error {
  readonly status: ErrorStatus;
  readonly detail: Detail | undefined;
  /** Nothing of an error is kept unless the error says what. */
  readonly kept: Kept | undefined;
  /** The same as the message, one by one. */
  readonly problems: readonly ShownProblem[];

  constructor(
    status: ErrorStatus,
    message: string,
    {
      detail,
      kept,
      problems = [],
    }: { detail?: Detail; kept?: Kept; problems?: readonly ShownProblem[] } = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.detail = detail;
    this.kept = kept;
    this.problems = problems;
  }
}

/** The most problems that a message lists: the same mistake often repeats. */
const problemsMax = 20;

/** Problems as one text: the first ones, and the number of the others. */
export function joinProblems(problems: readonly string[]): string {
  const more = problems.length - problemsMax;
  if (more <= 0) return problems.join('; ');
  return [...problems.slice(0, problemsMax), `and ${more} more`].join('; ');
}

/** 400 that names all problems at once. Each is a sentence about one field or parameter, with what is allowed there. */
export const badRequest = (problems: readonly Problem[]) =>
  new ApiError(400, joinProblems(problems.map(({ sentence }) => sentence)), {
    kept: keptOf(problems),
    problems: problems.map(shownProblem),
  });

/** 400 for a problem of one field or parameter. */
export const invalidField = (field: Constant, rule: Constant | Said) => badRequest([problemOf(field, rule)]);

/** 400 for a problem that is of no field. */
export const invalidRequest = (sentence: Constant | Said) => badRequest([problemOfNoField(sentence)]);

/** An error with one message, of which is kept what has nothing of the client. */
export function plainError(status: ErrorStatus, message: Constant | Said): ApiError {
  const { shown, kept } = saidOf(message);
  return new ApiError(status, shown, { kept: keptText(kept) });
}

export const unauthorized = () => plainError(401, unauthorizedMessage);

/** @param scope what the key needs: a scope, or one of several */
export function forbidden(scope: string | readonly string[]) {
  if (typeof scope !== 'string')
    return plainError(403, constant`This API key has none of the scopes ${ours(scope.join(', '))}`);
  const message = constant`This API key lacks the scope ${ours(scope)}`;
  return new ApiError(403, message, { kept: { ...keptText(message), missingScope: scope } });
}

/** API Gateway's message for each request that the authorizer, a policy or a firewall denies. */
export const deniedMessage = constant`The request was refused`;

/** The name of what follows it, in what the authorizer says. */
export const denialReason = 'denial_reason';

/** Follows it for a valid key of a suspended account. It has nothing that JSON escapes: API Gateway does not. */
export const suspendedReason = constant`: the account of this API key is suspended; ask the operator of this API`;

export const suspendedMessage = `${deniedMessage}${suspendedReason}`;

/** 403 for what the owner may not do while the operator has stopped a subscription or its host. */
export const stoppedByOperator = () =>
  plainError(
    403,
    constant`The operator of this API has stopped this webhook subscription: it cannot be resumed or tested; ask the operator`,
  );

/** 404, byte for byte the same for a record that does not exist and for one of another account. */
export const notFound = (resource: string, id: string) =>
  plainError(404, said`No ${ours(resource)} has the id ${theirs(quoted(id))}`);

/** @param current the entity tag of the current version */
export const preconditionFailed = (current: string) =>
  plainError(
    412,
    said`If-Match must name the current version, which is ${theirs(current)}; a weak tag never matches`,
  );

/** 412 for If-Match where there is no record. */
export const nothingToMatch = () =>
  plainError(412, constant`If-Match names a version, but there is no record; leave it out to create one`);

/** 412 for If-None-Match. @param current the entity tag of the current version */
export const noneMayMatch = (current: string) =>
  plainError(412, said`If-None-Match must not match the current version, which is ${theirs(current)}`);

/** 409 for a bulk redelivery while another one of the same subscription runs. */
export const anotherRedelivery = (id: string) =>
  plainError(
    409,
    said`The redelivery "${theirs(id)}" of this webhook subscription is running, and only one can run at a time; wait until its state is completed`,
  );

/** 404 for the repetition of a create whose record was deleted since. */
export const createdIsDeleted = () =>
  plainError(
    404,
    constant`What this request created has been deleted; to create it again, use a new Idempotency-Key`,
  );

/** 422 for an Idempotency-Key that was used for another request. */
export const keyReused = () =>
  plainError(
    422,
    constant`This Idempotency-Key was used for another request, with another path or body; use a new one`,
  );

/** 422 for a repetition whose answer held a secret that must not be shown any more. */
export const secretNotRepeated = (subscription: string) =>
  plainError(
    422,
    said`The secret in the answer to this Idempotency-Key is no longer the newest one of the webhook subscription "${theirs(subscription)}", so it is not shown again; nothing was done`,
  );

/** 500 with the request id, which finds the log, and nothing internal. */
export const internal = (requestId: string | undefined) =>
  plainError(500, said`Something went wrong on our side; the request id is ${theirs(`${requestId}`)}`);
