import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import type { Item } from './restoration.ts';

/** Parts of a table that are read side by side. */
const segments = 4;

/** So many items of a part are worked on at once: as many as there are connections, over all parts. */
const chunkSize = 12;

interface Reading {
  table: string;
  /** A filter on items. What it leaves out is read too, and paid for. */
  filter: object;
  /** What has been read, with what the filter left out. */
  onRead(count: number): void;
  /** Ends the reading when what is under way is done. */
  stopped: AbortSignal;
}

/** Reads a table to its end, whatever its size, and hands over its items in small groups. */
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
