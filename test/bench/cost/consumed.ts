import type { Units } from '../../../infra/ops/price/price.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';

/** DynamoDB answers with one of these for a table, or with a list of them. */
type ConsumedCapacity = { CapacityUnits?: number } | { CapacityUnits?: number }[] | undefined;

const name = 'consumed';

/** The units that work consumes, as the database counts them. Nothing else may call the database meanwhile. */
export async function consumedBy(work: () => Promise<unknown>): Promise<Units> {
  const units: Units = { read: 0, write: 0 };
  const { middlewareStack } = dynamodb();
  middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const input = { ...(args.input as object), ReturnConsumedCapacity: 'TOTAL' };
        const result = await next({ ...args, input } as typeof args);
        const { ConsumedCapacity } = result.output as { ConsumedCapacity?: ConsumedCapacity };
        const kind = /^(Get|BatchGet|Query)/.test(commandName) ? 'read' : 'write';
        for (const { CapacityUnits = 0 } of [ConsumedCapacity ?? []].flat()) units[kind] += CapacityUnits;
        return result;
      },
    { step: 'initialize', name },
  );
  try {
    await work();
  } finally {
    middlewareStack.remove(name);
  }
  return units;
}
