import type { Origin } from '../contract/origin.ts';
import type { ResponseBody } from '../contract/responses.ts';
import { forbidden, unauthorized } from '../errors/apiError.ts';
import { type Access, allows, callerOf, hasExpired } from '../keys/access.ts';
import { addLogContext } from '../logs/log.ts';
import { byKey } from '../records/recordOrigin.ts';
import type { NeededScope, Operation } from '../resources/operation.ts';
import type { CreatedAnswer, ReplayedAnswer } from './answers.ts';
import { apiKeysOf, type Caller, type Middleware } from './apiEvent.ts';
import { type BaseCall, type Handler, pipeline } from './pipeline.ts';

/** The input of an operation's function: the account and its key, and the validated request. */
interface Call<O extends Operation> extends BaseCall<O> {
  account: string;
  keyId: string;
  access: Access;
  origin: Origin;
  /** The text of the key. Only getMe uses it. */
  apiKey: string;
}

/** Returns the Lambda of an operation of the public API, which runs behind the authorizer and requires the operation's scope. */
export const endpoint = <O extends Operation>(
  operation: O,
  run: (
    call: Call<O>,
  ) => Promise<ResponseBody<O> | ReplayedAnswer<ResponseBody<O>> | CreatedAnswer<ResponseBody<O>>>,
): Handler =>
  pipeline(operation, [caller(), requireScope(operation.scope)], (call, event) =>
    run({
      ...call,
      ...(event.caller as Caller),
      origin: byKey((event.caller as Caller).keyId),
      apiKey: apiKeysOf(event.multiValueHeaders)[0] ?? '',
    }),
  );

/**
 * Adds `caller`, from the authorizer's context alone. A missing or unknown context ends the request: it means that a route was deployed without
 * its authorizer, and such a mistake must not open the API.
 * @throws ApiError 401 if the request contains two keys, because the gateway's cache may use only one of them, or if the key has expired since
 *   the authorizer's decision
 */
const caller = (): Middleware => ({
  before: function callerBefore({ event }) {
    if (apiKeysOf(event.multiValueHeaders).length > 1) throw unauthorized();
    const context = event.requestContext?.authorizer;
    event.caller = callerOf(context);
    if (hasExpired(context?.expires_at)) throw unauthorized();
    addLogContext({ key_id: event.caller.keyId, account: event.caller.account });
  },
});

/** @throws ApiError 403 that names the scope that the key lacks, or several of which it needs one */
const requireScope = (scope: NeededScope): Middleware => ({
  before: function requireScopeBefore({ event }) {
    if (scope !== null && !allows((event.caller as Caller).access, scope)) throw forbidden(scope);
  },
});
