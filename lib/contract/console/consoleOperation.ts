import type { BaseOperation } from '../../resources/operation.ts';

/** The roles of a person in the console: a viewer only reads, and an admin can also make changes. */
export const roles = ['viewer', 'admin'] as const;

export type Role = (typeof roles)[number];

export interface ConsoleOperation extends BaseOperation {
  path: `/api/${string}`;
  /** The role that the session needs; `null` only for the operation that starts a session. */
  role: Role | null;
  /** Whether the request must have an Idempotency-Key, because its effect must not happen twice. */
  needsIdempotencyKey?: true;
  /** Whether the operation is allowed while the operator has suspended the account. */
  whileSuspended?: true;
}

/** Declares an operation of the console and keeps its exact type. */
export const consoleOperation = <const O extends ConsoleOperation>(declared: O): O => declared;
