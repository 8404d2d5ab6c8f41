import { errorBody, joinProblems } from '../errors/apiError.ts';
import { type Access, allows } from '../keys/access.ts';
import { resourceName } from '../records/recordKeys.ts';
import type { BatchOutcome } from '../records/upsert/upsert.ts';
import type { BatchResult } from '../resources/batchResult.ts';
import type { Stored } from '../resources/collection.ts';
import { type ResourceType, resources } from '../resources/index.ts';
import { RefusedEntry, refusalMax } from '../schemas/batch.ts';

/** Returns the response to a batch: for each entry, the status that a single call would have had, or 504 if time ran out. */
export const batchResults = (
  type: ResourceType,
  outcomes: readonly BatchOutcome<Stored>[],
  access: Access,
): { results: BatchResult[] } => ({
  results: outcomes.map((outcome) => resultOf(type, outcome, allows(access, resources[type].scopes[0]))),
});

function resultOf(type: ResourceType, outcome: BatchOutcome<Stored>, mayRead: boolean): BatchResult {
  if (outcome instanceof RefusedEntry) return refusal(400, joinProblems(outcome.problems));
  if (outcome.kind === 'refused') return refusal(400, outcome.reason);
  // No stored state can be older than a client's.
  if (outcome.kind === 'unreached' || outcome.kind === 'outdated')
    return refusal(
      504,
      `The request timed out before this ${resourceName({ type })} was confirmed as stored; send it again`,
    );
  const { id, version } = outcome.record;
  if (outcome.kind === 'created') return { status: 201, id, version };
  // As after a PATCH, a key that may not read an existing record gets only its version.
  return mayRead ? { status: 200, id, version } : { status: 204, version };
}

const refusal = (status: 400 | 504, message: string): BatchResult => ({
  status,
  ...errorBody(
    status,
    message.length > refusalMax ? `${message.slice(0, refusalMax - 1).toWellFormed()}…` : message,
  ),
});
