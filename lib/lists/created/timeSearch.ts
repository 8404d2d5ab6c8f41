import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../dynamodb/client.ts';

/** Positions among which the first of a time or later is. All before `start` are earlier. */
export interface TimeSpan {
  start: number;
  /** A time that is not later than that at `start`, in epoch milliseconds, and earlier than the one that is looked for. */
  startMs: number | undefined;
  /** The first position that is known to be as late, or the end of all. */
  end: number;
  /** A time that is not earlier than that before `end`, and not earlier than the one that is looked for. */
  endMs: number;
}

/**
 * The first position of a time or later. Times must grow with positions. Every second step assumes a constant rate, which is nearly
 * right in an import, and the others halve what is left, so there are never many.
 * @param wanted epoch milliseconds
 * @param timeAt reads the time at a position, in epoch milliseconds
 * @returns the `end` of the span when all positions in it are earlier
 */
export async function firstSince(
  wanted: number,
  span: TimeSpan,
  timeAt: (position: number) => Promise<number>,
): Promise<number> {
  let { start, startMs, end, endMs } = span;
  for (let step = 0; start < end; step++) {
    const share = step % 2 === 0 && startMs !== undefined ? (wanted - startMs) / (endMs - startMs) : 0.5;
    const guess = start + Math.min(end - start - 1, Math.floor((end - start) * share));
    const ms = await timeAt(guess);
    if (ms < wanted) [start, startMs] = [guess + 1, ms];
    else [end, endMs] = [guess, ms];
  }
  return end;
}

/**
 * When the item at a position was created, in epoch milliseconds. It never changes, so any copy that has the item is right.
 * @param Key of an item that is counted
 */
export async function createdAtOf(TableName: string, Key: { pk: string; sk: string }): Promise<number> {
  const read = async (ConsistentRead: boolean) => {
    const { Item } = await dynamodb().send(
      new GetCommand({ TableName, Key, ProjectionExpression: 'created_at', ConsistentRead }),
    );
    return Item?.created_at as string | undefined;
  };
  // The count may be seen a moment before an item of the same transaction. Such an item was created now.
  const at = (await read(false)) ?? (await read(true));
  return at === undefined ? Date.now() : Date.parse(at);
}
