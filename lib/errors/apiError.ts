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

/** Every error status that a client can get, with its standard reason phrase (RFC 9110 § 15). */
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

/** The body of every error from every layer (docs/guide.md, "Errors"): exactly these two strings. */
export interface ErrorBody {
  error: string;
  message: string;
}

export const errorBody = <Status extends ErrorStatus>(
  status: Status,
  message: string,
): { error: (typeof errorNames)[Status]; message: string } => ({ error: errorNames[status], message });

/** The only message for a missing, unknown, expired or revoked key. Different messages would only help a thief. */
export const unauthorizedMessage = constant`Missing or invalid API key`;

/** Stored data in a message, with the scope of the keys that may read it. */
export interface Detail {
  scope: string;
  message: string;
  /** The id of the record that the message names. The response sends its address in `Location`. */
  record?: string;
}

/** An error whose message every client may read. A key with the scope of `detail` gets the message of `detail` instead. */
export class ApiError extends Error {
  readonly status: ErrorStatus;
  readonly detail: Detail | undefined;
  /** What may be kept of the error. By default, nothing is kept. */
  readonly kept: Kept | undefined;
  /** The problems in the message, one by one. */
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

/** The maximum number of problems in a message. It is limited because the same mistake often repeats. */
const problemsMax = 20;

/** Joins problems to one text: the first ones, and the number of the others. */
export function joinProblems(problems: readonly string[]): string {
  const more = problems.length - problemsMax;
  if (more <= 0) return problems.join('; ');
  return [...problems.slice(0, problemsMax), `and ${more} more`].join('; ');
}

/** Returns a 400 that names all problems at once. Each problem is a sentence about one field or parameter that says what is allowed. */
export const badRequest = (problems: readonly Problem[]) =>
  new ApiError(400, joinProblems(problems.map(({ sentence }) => sentence)), {
    kept: keptOf(problems),
    problems: problems.map(shownProblem),
  });

/** Returns a 400 for a problem with one field or parameter. */
export const invalidField = (field: Constant, rule: Constant | Said) => badRequest([problemOf(field, rule)]);

/** Returns a 400 for a problem that concerns no single field. */
export const invalidRequest = (sentence: Constant | Said) => badRequest([problemOfNoField(sentence)]);

/** Returns an error with one message. Only the parts of the message that contain nothing from the client are kept. */
export function plainError(status: ErrorStatus, message: Constant | Said): ApiError {
  const { shown, kept } = saidOf(message);
  return new ApiError(status, shown, { kept: keptText(kept) });
}

export const unauthorized = () => plainError(401, unauthorizedMessage);

/** @param scope the scope that the key needs, or several of which it needs one */
export function forbidden(scope: string | readonly string[]) {
  if (typeof scope !== 'string')
    return plainError(403, constant`This API key has none of the scopes ${ours(scope.join(', '))}`);
  const message = constant`This API key lacks the scope ${ours(scope)}`;
  return new ApiError(403, message, { kept: { ...keptText(message), missingScope: scope } });
}

/** API Gateway's message for each request that the authorizer, a policy or a firewall denies. */
export const deniedMessage = constant`The request was refused`;

/** The field of the authorizer's response that API Gateway appends to `deniedMessage`. */
export const denialReason = 'denial_reason';

/** Appended for a valid key of a suspended account. It must contain nothing to escape in JSON, because API Gateway does not escape. */
export const suspendedReason = constant`: the account of this API key is suspended; ask the operator of this API`;

export const suspendedMessage = `${deniedMessage}${suspendedReason}`;

/** Returns a 403 for an action that the owner cannot take while the operator has stopped a subscription or its host. */
export const stoppedByOperator = () =>
  plainError(
    403,
    constant`The operator of this API has stopped this webhook subscription: it cannot be resumed or tested; ask the operator`,
  );

/** Returns a 404 that is byte for byte the same for a record that does not exist and for a record of another account. */
export const notFound = (resource: string, id: string) =>
  plainError(404, said`No ${ours(resource)} has the id ${theirs(quoted(id))}`);

/** @param current the entity tag of the current version */
export const preconditionFailed = (current: string) =>
  plainError(
    412,
    said`If-Match must name the current version, which is ${theirs(current)}; a weak tag never matches`,
  );

/** Returns a 412 for If-Match if there is no record. */
export const nothingToMatch = () =>
  plainError(412, constant`If-Match names a version, but there is no record; leave it out to create one`);

/** Returns a 412 for If-None-Match. @param current the entity tag of the current version */
export const noneMayMatch = (current: string) =>
  plainError(412, said`If-None-Match must not match the current version, which is ${theirs(current)}`);

/** Returns a 409 for a bulk redelivery while the same subscription has another one running. */
export const anotherRedelivery = (id: string) =>
  plainError(
    409,
    said`The redelivery "${theirs(id)}" of this webhook subscription is running, and only one can run at a time; wait until its state is completed`,
  );

/** Returns a 404 for the repetition of a create whose record has been deleted since. */
export const createdIsDeleted = () =>
  plainError(
    404,
    constant`What this request created has been deleted; to create it again, use a new Idempotency-Key`,
  );

/** Returns a 422 for an Idempotency-Key that was used for another request. */
export const keyReused = () =>
  plainError(
    422,
    constant`This Idempotency-Key was already used for a request with another path or body; use a new one`,
  );

/** Returns a 422 for a repetition whose response contained a secret that must no longer be shown. */
export const secretNotRepeated = (subscription: string) =>
  plainError(
    422,
    said`The response to this Idempotency-Key contained a secret that has been replaced since, of the webhook subscription "${theirs(subscription)}", so it is not shown again; nothing was changed`,
  );

/** Returns a 500 with the request id, which finds the log lines, and nothing internal. */
export const internal = (requestId: string | undefined) =>
  plainError(500, said`Something went wrong on our side; the request id is ${theirs(`${requestId}`)}`);
