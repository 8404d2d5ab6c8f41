import { setTimeout as sleep } from 'node:timers/promises';
import { keyOfStatement, statementsOf } from './statements.ts';
import { type Call, failure, onWire, success } from './wire.ts';

interface Keyed {
  Key?: object;
  Item?: { pk: object; sk?: object };
}

/**
 * Makes the embedded database behave like a remote one with many writers. Every call takes `latencyMs`, and a write to an item
 * of a running transaction is refused: DynamoDB does that, and the embedded database never does.
 * @returns ends it
 */
export function simulateRemoteDatabase({ latencyMs = 8, conflicts = true } = {}): () => void {
  const busy = new Set<string>();
  return onWire(async (call, send) => {
    const keys = conflicts ? keysOf(call) : [];
    const conflicting = keys.map((key) => busy.has(key));
    if (conflicting.includes(true)) {
      await sleep(latencyMs);
      if (call.name === 'BatchWriteItem') return success({ UnprocessedItems: call.input.RequestItems });
      if (call.name === 'BatchExecuteStatement') {
        const error = { Error: { Code: 'TransactionConflict', Message: 'Conflict' } };
        return success({ Responses: keys.map(() => error) });
      }
      if (call.name !== 'TransactWriteItems') return failure('TransactionConflictException');
      const CancellationReasons = conflicting.map((one) => ({ Code: one ? 'TransactionConflict' : 'None' }));
      return failure('TransactionCanceledException', { CancellationReasons });
    }
    if (call.name === 'TransactWriteItems') for (const key of keys) busy.add(key);
    try {
      await sleep(latencyMs);
      return await send();
    } finally {
      if (call.name === 'TransactWriteItems') for (const key of keys) busy.delete(key);
    }
  });
}

/** The items that a call writes. */
function keysOf({ name, input }: Call): string[] {
  if (name === 'TransactWriteItems')
    return (input.TransactItems as Record<string, Keyed>[]).flatMap((action) =>
      Object.values(action).map(keyOf),
    );
  if (name === 'BatchWriteItem')
    return Object.values(input.RequestItems as Record<string, Record<string, Keyed>[]>)
      .flat()
      .flatMap((request) => Object.values(request).map(keyOf));
  if (name === 'BatchExecuteStatement')
    return statementsOf<object>(input).map((statement) => keyOf({ Key: keyOfStatement(statement) }));
  return ['PutItem', 'UpdateItem', 'DeleteItem'].includes(name) ? [keyOf(input as unknown as Keyed)] : [];
}

const keyOf = ({ Key, Item }: Keyed): string => JSON.stringify(Key ?? { pk: Item?.pk, sk: Item?.sk });
