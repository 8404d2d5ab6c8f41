import { type Change, type Page, type StreamClient, StreamError } from './streamClient.ts';

/** Answers about a position that the database no longer has, or never had. */
const unknownPosition = ['TrimmedDataAccessException', 'ValidationException'];

/** Records of one call: enough to fill batches when a filter lets only a few through. */
const readAtOnce = 500;

/** Reads one shard in order, from the record after a position on. */
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
   * @param position of the last record that was handled; undefined when none was
   * @returns the records that came since the last read, and whether these were the shard's last
   */
  async read(position: string | undefined): Promise<{ changes: Change[]; last: boolean }> {
    this.next ??= await this.begin(position);
    const { Records, NextShardIterator } = await this.client.records(this.next, readAtOnce);
    this.next = NextShardIterator;
    return { changes: Records, last: NextShardIterator === undefined };
  }

  private async begin(position: string | undefined): Promise<string> {
    if (position === undefined || !(await this.hasRecordsFrom(position)))
      return this.client.iterator(this.stream, this.shard, { ShardIteratorType: 'TRIM_HORIZON' });
    const after = { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: position } as const;
    return this.client.iterator(this.stream, this.shard, after);
  }

  /**
   * Whether there is a record at a position, or after it when that one is trimmed. Of a position beyond its newest record,
   * as in a database that was brought back from a copy, the embedded one says nothing: it would be silent until it comes there.
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
