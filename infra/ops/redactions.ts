import { setTimeout as sleep } from 'node:timers/promises';
import { readItems } from '../../lib/dynamodb/tableHandle.ts';
import { webhooks } from '../../lib/dynamodb/tables.ts';
import { type Redaction, redactionKey } from '../../lib/records/deletion/redaction.ts';
import { type DeletedRecord, deferRedactions } from '../../lib/webhooks/redaction/redactionTurn.ts';
import { Progress } from '../terminal/progress.ts';

/** The progress of the redaction of deleted records. */
export interface RedactionState {
  redacted: boolean;
  /** How many versions may still have content in their events. */
  left: number;
  /** Versions whose events could not be written, by the id of their record. */
  stuck: Record<string, number[]>;
}

const pollMs = 1000;

/** After this time without progress, the message may be lost, or among the dead letters. */
const remindMs = 30_000;

/** After this time without progress, an operator must look. Messages that failed come back after three minutes. */
const giveUpMs = 5 * 60_000;

/** Reads the progress of redactions. If there is no item, the redaction has not begun. */
export async function readRedactions(
  account: string,
  deleted: readonly DeletedRecord[],
): Promise<RedactionState> {
  const items = await readItems<Redaction & { pk: string }>(
    webhooks,
    deleted.map(({ id }) => redactionKey(account, id)),
  );
  const itemOf = ({ id }: DeletedRecord) => items.find(({ pk }) => pk === redactionKey(account, id).pk);
  const left = deleted.reduce((sum, record) => sum + (itemOf(record)?.left ?? record.version), 0);
  const stuck = Object.fromEntries(
    deleted.flatMap((record) => {
      const versions = itemOf(record)?.stuck ?? [];
      return versions.length > 0 ? [[record.id, versions]] : [];
    }),
  );
  return { redacted: left === 0 && Object.keys(stuck).length === 0, left, stuck };
}

/**
 * Waits until the earlier events of deleted records are redacted, and shows the progress. It redacts nothing itself, because nobody would
 * continue if it were stopped. @returns the state, if nothing is left or nothing has moved for minutes
 */
export async function untilRedacted(
  account: string,
  deleted: readonly DeletedRecord[],
): Promise<RedactionState> {
  let state = await readRedactions(account, deleted);
  const progress = new Progress('versions', state.left);
  let isReminded = false;
  for (let since = Date.now(); !state.redacted && Date.now() < since + giveUpMs; ) {
    await sleep(pollMs);
    const next = await readRedactions(account, deleted);
    if (JSON.stringify(next) !== JSON.stringify(state)) since = Date.now();
    else if (!isReminded && Date.now() > since + remindMs) {
      isReminded = true;
      await deferRedactions(account, deleted);
    }
    progress.advance(Math.max(0, state.left - next.left));
    state = next;
  }
  progress.end();
  return state;
}
