import { randomUUID } from 'node:crypto';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { dynamodb } from './client.ts';
import { isBusy, pause, untilCommitted, type Written, writeIf } from './conflicts.ts';

/** One of at most 100 actions of a transaction. */
export type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

export type ActionOf<Kind extends keyof Action> = { [Only in Kind]: NonNullable<Action[Only]> };

/** How many actions one transaction can have. https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
export const actionsMax = 100;

/**
 * How many bytes one transaction with several entries may have. DynamoDB accepts 4 MB, but each KB takes two write units. A partition has 1,000
 * units a second and contains neighbouring records of a collection, so a larger transaction would be throttled at every attempt. On a busy
 * machine with the embedded database, it would also take longer than a client waits.
 */
export const transactionBytesMax = 500_000;

/**
 * The result of one action of a transaction that was not committed. `refused`: its condition failed because of this item. `contended`: another
 * transaction was using the item, or the table was throttled, so another attempt may succeed.
 */
export type Verdict =
  | { kind: 'fine' }
  | { kind: 'refused'; item: Record<string, unknown> | undefined }
  | { kind: 'contended' };

const contention = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** How long calls to a busy database are repeated: longer than a burst lasts, but shorter than a request may take. */
const busyMaxMs = 4000;

const busyPauseMs = 200;

async function commit(command: TransactWriteCommand): Promise<void> {
  for (const end = Date.now() + busyMaxMs; ; ) {
    try {
      await dynamodb().send(command);
      return;
    } catch (error) {
      if (!isBusy(error) || Date.now() > end) throw error;
      await pause(busyPauseMs);
    }
  }
}

/** The result of a transaction: committed, or not committed with a verdict for each action. */
export type Transacted = { committed: true; refused?: undefined } | { committed: false; refused: Verdict[] };

/**
 * Commits all actions or none. A call is repeated with the same token if its response was lost or the database was too busy, so it takes effect
 * once. A cancelled transaction is never repeated, because only the caller knows how to handle the reasons.
 * @param token of 36 characters at most; for ten minutes, other calls with it have no effect. A cancelled transaction does not use it up
 */
export async function transact(
  actions: readonly Action[],
  token: string = randomUUID(),
): Promise<Transacted> {
  try {
    await commit(new TransactWriteCommand({ TransactItems: [...actions], ClientRequestToken: token }));
    return { committed: true };
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const { CancellationReasons: reasons = [] } = error;
    if (reasons.length !== actions.length) throw error;
    const refused = reasons.map(({ Code = '', Item }): Verdict => {
      if (Code === 'None') return { kind: 'fine' };
      if (Code === 'ConditionalCheckFailed') return { kind: 'refused', item: Item && unmarshall(Item) };
      if (contention.has(Code)) return { kind: 'contended' };
      throw error;
    });
    return { committed: false, refused };
  }
}

/**
 * Commits actions like `transact`, and repeats the transaction while others are using the items.
 * @returns refused only if a condition failed
 * @throws Error at the deadline
 */
export const transactUntil = (deadline: number, actions: readonly Action[]): Promise<Transacted> =>
  untilCommitted(deadline, async () => {
    const result = await transact(actions);
    return result.committed || result.refused.some(({ kind }) => kind === 'refused') ? result : undefined;
  });

/** Commits one action, like `writeIf`. */
export function write({ Put, Update, Delete }: Action): Promise<Written<unknown>> {
  if (Put) return writePut({ Put });
  if (Update) return writeUpdate({ Update });
  return writeDelete({ Delete: Delete as NonNullable<typeof Delete> });
}

// Each of these functions is `write` for one kind of action, so that a bundle contains only the commands that it uses.

export const writePut = ({ Put }: ActionOf<'Put'>): Promise<Written<unknown>> =>
  writeIf(() => dynamodb().send(new PutCommand(Put)));

/** @returns the item after the update as its answer, if the update asks for it */
export async function writeUpdate<Item = Record<string, unknown>>(
  { Update }: ActionOf<'Update'>,
  { returnsItem, ...options }: { returnsItem?: true; abortSignal?: AbortSignal } = {},
): Promise<Written<Item>> {
  const ReturnValues = returnsItem && 'ALL_NEW';
  const command = new UpdateCommand({ ...Update, ReturnValues });
  const written = await writeIf(() => dynamodb().send(command, options));
  return written.committed ? { committed: true, answer: written.answer.Attributes as Item } : written;
}

export const writeDelete = ({ Delete }: ActionOf<'Delete'>): Promise<Written<unknown>> =>
  writeIf(() => dynamodb().send(new DeleteCommand(Delete)));
