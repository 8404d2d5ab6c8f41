import type { Origin } from '../contract/origin.ts';
import type { Access } from '../keys/access.ts';
import { byKey } from '../records/origin.ts';
import type { Answer, Operation } from '../resources/operation.ts';
import { caller } from './caller.ts';
import type { CreatedAnswer } from './createdAnswer.ts';
import type { Caller } from './event.ts';
import { apiKeysOf } from './headers.ts';
import { type BaseCall, type Handler, pipeline } from './pipeline.ts';
import type { ReplayedAnswer } from './replayed.ts';
import { requireScope } from './requireScope.ts';

/** The input of an operation's function: the account and its key, and the validated request. */
export interface Call<O extends Operation> extends BaseCall<O> {
  account: string;
  /** The key of the request, and what it may do beyond this operation. */
  keyId: string;
  access: Access;
  /** Of the changes that it makes. */
  origin: Origin;
  /** The text of the key, for getMe alone. */
  apiKey: string;
}

/** The Lambda of an operation of the public API: behind the authorizer, and for a key that has its scope. */
export const endpoint = <O extends Operation>(
  operation: O,
  run: (call: Call<O>) => Promise<Answer<O> | ReplayedAnswer<Answer<O>> | CreatedAnswer<Answer<O>>>,
): Handler =>
  pipeline(operation, [caller(), requireScope(operation.scope)], (call, event) =>
    run({
      ...call,
      ...(event.caller as Caller),
      origin: byKey((event.caller as Caller).keyId),
      apiKey: apiKeysOf(event.multiValueHeaders)[0] ?? '',
    }),
  );
