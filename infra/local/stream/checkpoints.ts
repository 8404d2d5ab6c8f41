import { join } from 'node:path';
import { checkpointsFile } from '../process/dataFolder.ts';
import { readJson, writeJson } from '../process/stackFile.ts';

/** The position of a shard that was read to its end. */
export const ended = 'ended';

/** The positions in the shards of a stream up to which changes are handled: sequence numbers, or `ended`. */
interface StreamCheckpoint {
  /** The ARN has the time at which the stream was made, so the stream of another database has another ARN. */
  stream: string;
  shards: Record<string, string>;
}

/** The positions of event source mappings in their streams. They are stored in the data directory. */
export class Checkpoints {
  private readonly file: string;
  private readonly kept: Record<string, StreamCheckpoint>;
  /** The mappings of the template by table. Other mappings in the file no longer exist and are ignored. */
  private readonly readers = new Map<string, Set<string>>();

  constructor(folder: string) {
    this.file = join(folder, checkpointsFile);
    this.kept = readJson(this.file) ?? {};
  }

  /** Registers a mapping. It keeps its positions, unless they belong to another stream. */
  begin(mapping: string, table: string, stream: string): void {
    if (this.kept[mapping]?.stream !== stream) this.kept[mapping] = { stream, shards: {} };
    this.readers.set(table, (this.readers.get(table) ?? new Set()).add(mapping));
  }

  /** @returns undefined when nothing of the shard has been handled */
  position(mapping: string, shard: string): string | undefined {
    return this.kept[mapping]?.shards[shard];
  }

  /** @throws when the file cannot be written */
  reach(mapping: string, shard: string, position: string): void {
    const { shards } = this.kept[mapping] as StreamCheckpoint;
    if (shards[shard] === position) return;
    shards[shard] = position;
    writeJson(this.file, this.kept);
  }

  /**
   * The position up to which all mappings have handled the stream of a table.
   * @returns a sequence number of the embedded database, which has one shard for each table; Infinity without mappings
   */
  handled(table: string): number {
    const readers = [...(this.readers.get(table) ?? [])];
    return Math.min(
      ...readers.map((mapping) => Number(Object.values(this.kept[mapping]?.shards ?? {})[0] ?? 0)),
    );
  }
}
