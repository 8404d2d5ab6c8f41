import { closeSync, constants, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { checkpointsFile } from '../process/dataFolder.ts';
import { readJson } from '../process/stackFile.ts';

/** The sequence number in a stream up to which changes are handled. */
interface StreamCheckpoint {
  /** The ARN contains the time at which the stream was created, so the stream of another database has another ARN. */
  stream: string;
  position?: string;
}

/** Stores the positions of event source mappings in their streams, in the data directory. */
export class Checkpoints {
  private readonly file: string;
  private readonly kept: Record<string, StreamCheckpoint>;
  /** The mappings of the template by table. Other mappings in the file no longer exist, and are ignored. */
  private readonly readers = new Map<string, Set<string>>();
  /** The length of the file in bytes. New content must not be shorter, because it overwrites the old. */
  private length: number;

  constructor(folder: string) {
    this.file = join(folder, checkpointsFile);
    this.kept = readJson(this.file) ?? {};
    this.length = statSync(this.file, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Registers a mapping. It keeps its position, unless that belongs to another stream. */
  begin(mapping: string, table: string, stream: string): void {
    if (this.kept[mapping]?.stream !== stream) this.kept[mapping] = { stream };
    this.readers.set(table, (this.readers.get(table) ?? new Set()).add(mapping));
  }

  /** @returns undefined if nothing has been handled */
  position(mapping: string): string | undefined {
    return this.kept[mapping]?.position;
  }

  /** @throws if the file cannot be written */
  reach(mapping: string, position: string): void {
    const checkpoint = this.kept[mapping] as StreamCheckpoint;
    if (checkpoint.position === position) return;
    checkpoint.position = position;
    this.write();
  }

  /**
   * Writes in place for each batch. Replacing the file takes a millisecond on ext4, during which no request is served. If a power failure
   * breaks the file, the streams begin with their oldest changes.
   */
  private write(): void {
    const text = JSON.stringify(this.kept).padEnd(this.length);
    const file = openSync(this.file, constants.O_WRONLY | constants.O_CREAT, 0o600);
    try {
      this.length = Math.max(this.length, writeSync(file, text));
    } finally {
      closeSync(file);
    }
  }

  /** Returns the position up to which all mappings have handled the stream of a table. @returns a sequence number; Infinity without mappings */
  handled(table: string): number {
    const readers = [...(this.readers.get(table) ?? [])];
    return Math.min(...readers.map((mapping) => Number(this.kept[mapping]?.position ?? 0)));
  }
}
