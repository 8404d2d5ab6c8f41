import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../lib/dynamodb/client.ts';
import type { Item } from '../../lib/dynamodb/item.ts';

/** How many parts of a table are read in parallel. */
const segments = 4;

/** How many items of a part are processed at once. All parts together use all connections. */
const chunkSize = 12;

interface Reading {
  table: string;
  /** A filter of the scan. Items that it drops are also read and paid for. */
  filter: object;
  /** Called with the number of items that were read, including dropped ones. */
  onRead(count: number): void;
  /** Ends the scan after the items in work. */
  stopped: AbortSignal;
}

/** Reads a whole table, and passes its items on in small groups. */
export async function scan(reading: Reading, work: (items: Item[]) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: segments }, (_, segment) => scanSegment(reading, segment, work)));
}

async function scanSegment(
  { table, filter, onRead, stopped }: Reading,
  Segment: number,
  work: (items: Item[]) => Promise<void>,
): Promise<void> {
  let ExclusiveStartKey: Item | undefined;
  do {
    const page = await dynamodb().send(
      new ScanCommand({ TableName: table, Segment, TotalSegments: segments, ExclusiveStartKey, ...filter }),
    );
    const { Items = [], ScannedCount = 0, LastEvaluatedKey } = page;
    for (let at = 0; at < Items.length && !stopped.aborted; at += chunkSize)
      await work(Items.slice(at, at + chunkSize));
    onRead(ScannedCount);
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey && !stopped.aborted);
}
