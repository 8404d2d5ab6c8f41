import { join } from 'node:path';
import { checkpointsFile } from '../process/dataFolder.ts';
import { readJson, writeJson } from '../process/stackFile.ts';

/** Where a shard stands that has been read to its end. */
export const ended = 'ended';

/** How far each shard of a stream has been handled: a sequence number, or `ended`. */
interface StreamCheckpoint {
  /** The real ARN, in which the time of its making stands: a stream of another database has another one. */
  stream: string;
  shards: Record<string, string>;
}

/** How far each event source mapping has come in its stream, kept in the data directory. */
export class Checkpoints {
  private readonly file: string;
  private readonly kept: Record<string, StreamCheckpoint>;
  /** The mappings of this start by table. Others that the file knows are no more, and hold nothing up. */
  private readonly readers = new Map<string, Set<string>>();

  constructor(folder: string) {
    this.file = join(folder, checkpointsFile);
    this.kept = readJson(this.file) ?? {};
  }

  /** Goes on where a mapping was in a stream, or begins: what was kept of another stream says nothing of this one. */
  begin(mapping: string, table: string, stream: string): void {
    if (this.kept[mapping]?.stream !== stream) this.kept[mapping] = { stream, shards: {} };
    this.readers.set(table, (this.readers.get(table) ?? new Set()).add(mapping));
  }

  /** @returns undefined when nothing of the shard has been handled */
  position(mapping: string, shard: string): string | undefined {
    return this.kept[mapping]?.shards[shard];
  }

  /** @throws when the disk does not take it */
  reach(mapping: string, shard: string, position: string): void {
    const { shards } = this.kept[mapping] as StreamCheckpoint;
    if (shards[shard] === position) return;
    shards[shard] = position;
    writeJson(this.file, this.kept);
  }

  /**
   * How far all readers of a table have come.
   * @returns a sequence number of the embedded database, which has one shard for each table; Infinity when nobody reads
   */
  handled(table: string): number {
    const readers = [...(this.readers.get(table) ?? [])];
    return Math.min(
      ...readers.map((mapping) => Number(Object.values(this.kept[mapping]?.shards ?? {})[0] ?? 0)),
    );
  }
}
