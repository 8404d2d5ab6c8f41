import type { Who } from '../activity/author.ts';
import type { ConsoleKey, KeyDraft, KeyPatch, KeyWithSecret } from '../contract/console/consoleKeys.ts';
import { untilCommitted } from '../dynamodb/conflicts.ts';
import {
  type IdempotentAnswer,
  type IdempotentRequest,
  readAnswer,
  storeAnswer,
} from '../dynamodb/idempotency.ts';
import { sessions } from '../dynamodb/tables.ts';
import { env, required } from '../env.ts';
import { invalidField, invalidRequest } from '../errors/apiError.ts';
import { constant, ours } from '../errors/constant.ts';
import type { Access } from '../keys/access.ts';
import { type Environment, environments } from '../keys/format.ts';
import {
  type ApiKey,
  assertNotRevoked,
  changed,
  type IssuedKey,
  issue,
  KeyRefusal,
  revoked,
  rotated,
  scopedTo,
  withNewestSecret,
} from '../keys/key.ts';
import { recorded } from '../keys/recordedKeyChange.ts';
import { KeyChangedError, saveKey } from '../keys/storedKeys.ts';
import { askForFlush, tryToAskForFlush } from './flushAuthorizer.ts';
import { keyOfAccount, shownKey, shownNewKey } from './keyViews.ts';

export interface KeyRequest {
  account: string;
  who: Who;
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
 * Gives a key a new secret, once for all repetitions of a request. Only the first response contains the secret, because it is not stored. A
 * repetition gets `null` instead.
 * @param issueSecret returns the key with its new secret, and the key as it was read; undefined for a new key
 * @throws ApiError 422 if the Idempotency-Key was used for another request
 */
export function withSecretOnce(
  { account, who, deadline, once }: KeyRequest & { once: IdempotentRequest | undefined },
  issueSecret: () => Promise<{ issued: IssuedKey; previous?: ApiKey }>,
): Promise<IdempotentAnswer<KeyWithSecret>> {
  return untilSaved(deadline, async () => {
    const kept = await readAnswer<KeyWithSecret>(sessions, account, once);
    if (kept) return kept;
    const { issued, previous } = await issueSecret();
    const stored = recorded(issued.key, previous, who);
    const key = await (previous ? shownKey(stored) : shownNewKey(stored));
    await saveKey(stored, previous, who, storeAnswer(sessions, account, once, { key, secret: null }));
    return { body: { key, secret: issued.text }, replayed: false };
  });
}

export function environmentOfStage(): Environment {
  const name = required(env.keyEnvironment);
  const environment = environments.find((one) => one === name);
  if (!environment) throw new Error(`${env.keyEnvironment} must be one of ${environments.join(', ')}`);
  return environment;
}

/** Creates a key. @throws ApiError 400 if it would have ended already, 422 if the Idempotency-Key was used for another request */
export function createAccountKey(
  draft: KeyDraft,
  request: KeyRequest & { once: IdempotentRequest | undefined },
): Promise<IdempotentAnswer<KeyWithSecret>> {
  const { name, expires_at } = draft;
  return withSecretOnce(request, async () => {
    const now = new Date();
    if (expires_at) assertAhead(expires_at, now);
    const access = requestedAccess(draft) as Access;
    const end = expires_at ? { expiresAt: expires_at } : {};
    const key = { accountId: request.account, name, access, ...end };
    return { issued: issue(key, environmentOfStage(), now) };
  });
}

/** Returns the requested access; undefined if the request names none. The contract forbids sending both. */
export function requestedAccess({
  scopes,
  full_access,
}: Pick<KeyDraft, 'scopes' | 'full_access'>): Access | undefined {
  if (full_access) return { kind: 'full' };
  return scopes && scopedTo(scopes);
}

/** Checks that an end is in the future. @throws ApiError 400 */
export function assertAhead(end: string, now: Date): void {
  if (Date.parse(end) <= now.getTime())
    throw invalidField(constant`expires_at`, constant`must be in the future; to end a key now, revoke it`);
}

/**
 * Changes a key. A patch that changes nothing creates no new version.
 * @param ifMatch throws if the client wants to change another version
 * @throws ApiError 400 if the key was revoked or would have ended already, 404 if the account has no such key, 412
 */
export async function updateAccountKey(
  id: string,
  patch: KeyPatch,
  { account, who, deadline, ifMatch }: KeyRequest & { ifMatch: (version: number) => void },
): Promise<ConsoleKey> {
  const key = await untilSaved(deadline, async () => {
    const current = await keyOfAccount(account, id);
    ifMatch(current.revision);
    asBadRequest(() => assertNotRevoked(current));
    return saveKey(patched(current, patch), current, who);
  });
  if (requestedAccess(patch) !== undefined || patch.expires_at !== undefined) await tryToAskForFlush();
  return shownKey(key);
}

function patched(key: ApiKey, patch: KeyPatch): ApiKey {
  const { name = key.name, expires_at } = patch;
  const next = changed(key, { name, access: requestedAccess(patch) ?? key.access });
  if (expires_at === null) delete next.expiresAt;
  else if (expires_at !== undefined && expires_at !== key.expiresAt) {
    assertAhead(expires_at, new Date());
    next.expiresAt = expires_at;
  }
  return next;
}

/**
 * Gives a key a new secret. Its older secrets end after the overlap at the latest.
 * @throws ApiError 400 if the key has ended or has too many secrets, 404 if the account has no such key, 422 if the Idempotency-Key was used
 *   for another request
 */
export async function rotateAccountKey(
  id: string,
  overlapSeconds: number,
  request: KeyRequest & { once: IdempotentRequest | undefined },
): Promise<IdempotentAnswer<KeyWithSecret>> {
  const answer = await withSecretOnce(request, async () => {
    const previous = await keyOfAccount(request.account, id);
    const issued = asBadRequest(() =>
      rotated(previous, environmentOfStage(), overlapSeconds * 1000, new Date()),
    );
    return { issued, previous };
  });
  if (overlapSeconds === 0) await tryToAskForFlush();
  return answer;
}

/**
 * Ends all secrets of a key but the newest, and asks for a flush of the authorizer's cache. A repetition asks again.
 * @throws ApiError 400 if the key was revoked, 404 if the account has no such key
 */
export async function endPreviousSecrets(
  id: string,
  { account, who, deadline }: KeyRequest,
): Promise<ConsoleKey> {
  const key = await untilSaved(deadline, async () => {
    const current = await keyOfAccount(account, id);
    asBadRequest(() => assertNotRevoked(current));
    return saveKey(withNewestSecret(current), current, who);
  });
  await askForFlush();
  return shownKey(key);
}

/**
 * Ends a key for good, and asks for a flush of the authorizer's cache. A repetition leaves the key as it is and asks again, because the first
 * request may have failed after the change.
 * @throws ApiError 404 if the account has no such key
 */
export async function revokeAccountKey(
  id: string,
  { account, who, deadline }: KeyRequest,
): Promise<ConsoleKey> {
  const key = await untilSaved(deadline, async () => {
    const current = await keyOfAccount(account, id);
    return saveKey(revoked(current, new Date()), current, who);
  });
  await askForFlush();
  return shownKey(key);
}

/** Applies a rule of the keys. @throws ApiError 400 that says what is allowed, if the key breaks the rule */
function asBadRequest<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (cause) {
    throw cause instanceof KeyRefusal ? invalidRequest(ours(cause.message)) : cause;
  }
}
