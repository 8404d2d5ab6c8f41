import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeleted } from '../../../lib/records/deletion/tombstone.ts';
import { readCount } from '../../../lib/records/head.ts';
import { toState } from '../../../lib/records/item.ts';
import { recordsOf } from '../../../lib/records/list.ts';
import { completeRange, readRange } from '../../../lib/records/range.ts';
import { collectionOf } from '../../../lib/resources/collections.ts';
import { type ResourceType, resources } from '../../../lib/resources/index.ts';
import { LineFile, linesIn } from './lineFile.ts';

type Item = Record<string, unknown>;

/** How many records are read at once: those of one block. */
const readAtOnce = 100;

/**
 * Writes the records of a type in their order, as `npm run import` reads them, and beside them what an import cannot take. Each record is
 * one line of both files, so an export goes on behind the lines that both have.
 * @returns how many lines the files have
 */
export async function exportRecords(
  account: string,
  type: ResourceType,
  folder: string,
  stopped: AbortSignal,
): Promise<number> {
  const ref = { account, type };
  const paths = ['', '.facts'].map((part) => join(folder, `${resources[type].path}${part}.ndjson`));
  const [path, factsPath] = paths as [string, string];
  const facts = existsSync(factsPath);
  // The facts get their name first, when both are whole.
  if (facts && !existsSync(path)) new LineFile(path, Number.POSITIVE_INFINITY).finish();
  if (facts) return linesIn(path);
  const done = Math.min(...paths.map((one) => linesIn(`${one}.part`)));
  const both = [new LineFile(factsPath, done), new LineFile(path, done)] as const;
  const [ofFacts, records] = both;
  const [positions, count] = [recordsOf(ref), await readCount(ref)];
  for (let from = done; from < count && !stopped.aborted; from = records.lines) {
    const to = Math.min(from + readAtOnce, count);
    const items = await completeRange(positions, from, to, await readRange(positions, from, to));
    if (items.length === 0) throw new Error(`The record ${from} of ${count} is not there`);
    // A deleted record has an empty line, which an import passes over, so that each line has its position.
    records.add(items.map((item) => (isDeleted(item) ? undefined : importable(type, item))));
    ofFacts.add(items.map((item) => factsOf(type, item)));
  }
  for (const file of both)
    if (stopped.aborted) file.close();
    else file.finish();
  return records.lines;
}

/** A record as a line of an import. One that only its id names is found by that. */
function importable(type: ResourceType, item: Item): object {
  const { record, statedAt, sourceId, revision } = toState(collectionOf(type), item);
  const { id, version, created_at, updated_at, ...content } = record;
  const source_id = sourceId ?? (record.external_id === null ? id : undefined);
  return { ...content, source_id, revision, updated_at: statedAt };
}

/** What an import cannot take. */
function factsOf(type: ResourceType, item: Item): object {
  const { record, origin, edits } = toState(collectionOf(type), item);
  const { id, external_id, version, created_at, updated_at } = record;
  return {
    ...{ id, external_id, source_id: item.source_id, version, created_at, updated_at, origin },
    ...{
      deleted_at: item.deleted_at,
      merged_into: item.merged_into,
      client_edits: edits?.versions,
      client_edit_times: edits?.times,
    },
  };
}
