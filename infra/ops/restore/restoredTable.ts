import {
  DescribeTableCommand,
  ResourceNotFoundException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { OpsError } from '../opsError.ts';
import type { Item } from './restoration.ts';

/** The description of a restored table, known before it is read. */
export interface RestoredTable {
  keyNames: string[];
  /** When it was made, RFC 3339 UTC. */
  madeAt: string;
  /** About how many items it has; 0 when DynamoDB has not counted yet. */
  items: number;
}

/** @throws OpsError when `from` is no table that `to` could have been restored into */
export async function openRestored(from: string, to: string): Promise<RestoredTable> {
  if (from === to)
    throw new OpsError(`${from} is the living table. --from names the one that it was restored into.`);
  const [restored, living] = await Promise.all([describe(from), describe(to)]);
  if (!living) throw new OpsError(`There is no table ${to}, which is the living one.`);
  if (!restored)
    throw new OpsError(`There is no table ${from}. It is looked for where the living table ${to} is.`);
  if (restored.TableStatus !== 'ACTIVE')
    throw new OpsError(
      `The table ${from} is ${restored.TableStatus}. Wait for it: aws dynamodb wait table-exists --table-name ${from}`,
    );
  if (keySchema(restored) !== keySchema(living))
    throw new OpsError(
      `The table ${from} was not restored from ${to}: its key is ${keySchema(restored)}, and must be ${keySchema(living)}.`,
    );
  return {
    keyNames: restored.KeySchema?.map(({ AttributeName = '' }) => AttributeName) ?? [],
    madeAt: (restored.CreationDateTime as Date).toISOString(),
    // Counted about every six hours, so the restored table may still have no number.
    items: Math.max(restored.ItemCount ?? 0, living.ItemCount ?? 0),
  };
}

async function describe(TableName: string): Promise<TableDescription | undefined> {
  try {
    return (await dynamodb().send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

const keySchema = ({ KeySchema = [] }: TableDescription): string =>
  KeySchema.map(({ AttributeName, KeyType }) => `${AttributeName} (${KeyType})`).join(', ');

/**
 * Checks, before anything is written, that the table is not mistaken for another one with the same key. @throws
 * OpsError
 */
export async function assertHolds(
  from: string,
  what: string,
  kindOf: (item: Item) => string | undefined,
): Promise<void> {
  const { Items = [] } = await dynamodb().send(new ScanCommand({ TableName: from, Limit: sampleSize }));
  if (Items.some((item) => kindOf(item) === undefined) && !Items.some((item) => isTelling(kindOf(item))))
    throw new OpsError(`The table ${from} holds nothing of what belongs to ${what}. Is it another table?`);
}

const sampleSize = 100;

/** Two tables hold kept answers under the same keys, so these do not identify a table. */
const isTelling = (kind: string | undefined): boolean => kind !== undefined && kind !== 'answer';
