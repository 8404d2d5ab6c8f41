import { type Change, type Page, type StreamClient, StreamError } from './streamClient.ts';

/** The errors for a position that the stream no longer has, or never had. */
const unknownPosition = ['TrimmedDataAccessException', 'ValidationException'];

/** The records of one read. It is larger than a batch because a filter may pass only a few of them. */
const readAtOnce = 500;

/** Reads a shard in order, from the record after a position. */
export class ShardReader {
  private readonly client: StreamClient;
  private readonly stream: string;
  private readonly shard: string;
  private next: string | undefined;

  constructor(client: StreamClient, stream: string, shard: string) {
    this.client = client;
    this.stream = stream;
    this.shard = shard;
  }

  /**
   * @param position the position of the last handled record; undefined when none was handled
   * @returns the records since the last read; `isFull` means that there may be more, and `last` that the shard has ended
   */
  async read(position: string | undefined): Promise<{ changes: Change[]; isFull: boolean; last: boolean }> {
    this.next ??= await this.begin(position);
    const { Records, NextShardIterator } = await this.client.records(this.next, readAtOnce);
    this.next = NextShardIterator;
    return {
      changes: Records,
      isFull: Records.length === readAtOnce,
      last: NextShardIterator === undefined,
    };
  }

  private async begin(position: string | undefined): Promise<string> {
    if (position === undefined || !(await this.hasRecordsFrom(position)))
      return this.client.iterator(this.stream, this.shard, { ShardIteratorType: 'TRIM_HORIZON' });
    const after = { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: position } as const;
    return this.client.iterator(this.stream, this.shard, after);
  }

  /**
   * Whether there is a record at the position, or after it when that record is trimmed. The embedded database accepts a position
   * beyond its newest record, which happens after its file was replaced by an older copy. It would then return nothing until
   * it reaches that position.
   */
  private async hasRecordsFrom(position: string): Promise<boolean> {
    const at = { ShardIteratorType: 'AT_SEQUENCE_NUMBER', SequenceNumber: position } as const;
    try {
      const iterator = await this.client.iterator(this.stream, this.shard, at);
      const { Records }: Page = await this.client.records(iterator, 1);
      return Records.length > 0;
    } catch (error) {
      if (error instanceof StreamError && unknownPosition.includes(error.name)) return false;
      throw error;
    }
  }
}
