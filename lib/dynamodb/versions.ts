import type { BatchStatementErrorCodeEnum } from '@aws-sdk/client-dynamodb';
import { BatchExecuteStatementCommand } from '@aws-sdk/lib-dynamodb';
import { batchesOf, fewAtOnce } from '../concurrency.ts';
import { dynamodb } from './client.ts';
import { untilDone } from './manyItems.ts';

/** An item in the state to write. All items of a table have the same attributes. */
export interface VersionedItem {
  key: Readonly<Record<string, string>>;
  /** The attributes except the key and the version. */
  attributes: Readonly<Record<string, unknown>>;
  /** The version that was read; undefined if there was no item. The write stores the next version. */
  version: number | undefined;
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchExecuteStatement.html */
const statementsMax = 25;

const refusals: ReadonlySet<string> = new Set<BatchStatementErrorCodeEnum>([
  'ConditionalCheckFailed',
  'DuplicateItem',
]);

const busy: ReadonlySet<string> = new Set<BatchStatementErrorCodeEnum>([
  'InternalServerError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
  'ThrottlingError',
  'TransactionConflict',
]);

/**
 * Writes items that still have the version that was read. A batch is not a transaction: each of its statements takes effect or is refused on
 * its own, like a conditional `PutItem`, and for the same units. But a batch of 25 is one call, which takes a tenth of the CPU time.
 * @param batchesAtOnce how many calls run at once
 * @returns for each item, in order, whether it was written; false if another process has written it in the meantime. If the response was lost,
 *   the item may have been written
 */
export async function writeVersions(
  table: string,
  items: readonly VersionedItem[],
  batchesAtOnce: number,
): Promise<boolean[]> {
  const batches = batchesOf(items, statementsMax);
  return (await fewAtOnce(batches, (batch) => writeBatch(table, batch), batchesAtOnce)).flat();
}

async function writeBatch(table: string, items: readonly VersionedItem[]): Promise<boolean[]> {
  const refused = new Set<VersionedItem>();
  await untilDone(items, async (rest) => {
    const Statements = rest.map((item) => statementOf(table, item));
    const { Responses = [] } = await dynamodb().send(new BatchExecuteStatementCommand({ Statements }));
    if (Responses.length !== rest.length) throw new Error('The answer to a batch of statements is not whole');
    return rest.filter((item, i) => {
      const { Code = '', Message } = Responses[i]?.Error ?? {};
      if (refusals.has(Code)) refused.add(item);
      else if (Code !== '' && !busy.has(Code)) throw new Error(`${Code}: ${Message}`);
      return busy.has(Code);
    });
  });
  return items.map((item) => !refused.has(item));
}

/**
 * Returns PartiQL, where a question mark stands for a parameter. Names are quoted, because some are keywords of the language. An example of
 * several assignments:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.multiplestatements.batching.html
 */
function statementOf(table: string, { key, attributes, version }: VersionedItem) {
  const set = { version: (version ?? 0) + 1, ...attributes };
  if (version === undefined) {
    const item = { ...key, ...set };
    const names = Object.keys(item).map((name) => `'${name}': ?`);
    return {
      Statement: `INSERT INTO "${table}" VALUE {${names.join(', ')}}`,
      Parameters: Object.values(item),
    };
  }
  const where = { ...key, version };
  const equal = (name: string): string => `"${name}" = ?`;
  return {
    Statement: `UPDATE "${table}" SET ${Object.keys(set).map(equal).join(', ')} WHERE ${Object.keys(where).map(equal).join(' AND ')}`,
    Parameters: [...Object.values(set), ...Object.values(where)],
  };
}
