import type { Who } from '../../activity/author.ts';
import type { KeyWithSecret } from '../../contract/console/keys.ts';
import { untilCommitted } from '../../dynamodb/conflicts.ts';
import {
  type IdempotentAnswer,
  type IdempotentRequest,
  keepAnswer,
  keptAnswer,
} from '../../dynamodb/idempotency.ts';
import { sessions } from '../../dynamodb/tables.ts';
import { env, required } from '../../env.ts';
import { recorded } from '../../keys/changes.ts';
import { type Environment, environments } from '../../keys/format.ts';
import type { IssuedKey, Key } from '../../keys/key.ts';
import { KeyChangedError, saveKey } from '../../keys/store.ts';
import { shownKey, shownNewKey } from './view.ts';

/** What the change of a key needs of its request. */
export interface KeyRequest {
  account: string;
  who: Who;
  /** Epoch milliseconds. */
  deadline: number;
}

/** Repeats a read and a change until nobody else has changed the key in between. */
export const untilSaved = <T extends object>(deadline: number, change: () => Promise<T>): Promise<T> =>
  untilCommitted(deadline, () =>
    change().catch((error: unknown) => {
      if (error instanceof KeyChangedError) return undefined;
      throw error;
    }),
  );

/**
 * Gives a key a new secret, once for all repetitions of a request. The secret is in the first answer alone, because none is stored:
 * a repetition is answered with `null` instead.
 * @param issueSecret the key with its new secret, and as it was read; undefined for a new one
 * @throws ApiError 422 when the Idempotency-Key was used for another request
 */
export function withSecretOnce(
  { account, who, deadline, once }: KeyRequest & { once: IdempotentRequest | undefined },
  issueSecret: () => Promise<{ issued: IssuedKey; previous?: Key }>,
): Promise<IdempotentAnswer<KeyWithSecret>> {
  return untilSaved(deadline, async () => {
    const kept = await keptAnswer<KeyWithSecret>(sessions, account, once);
    if (kept) return kept;
    const { issued, previous } = await issueSecret();
    const stored = recorded(issued.key, previous, who);
    const key = await (previous ? shownKey(stored) : shownNewKey(stored));
    await saveKey(stored, previous, who, keepAnswer(sessions, account, once, { key, secret: null }));
    return { body: { key, secret: issued.text }, replayed: false };
  });
}

/** The environment of new secrets. */
export function environmentOfStage(): Environment {
  const name = required(env.keyEnvironment);
  const environment = environments.find((one) => one === name);
  if (!environment) throw new Error(`${env.keyEnvironment} must be one of ${environments.join(', ')}`);
  return environment;
}
