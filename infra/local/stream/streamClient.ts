import type { DynamoDBRecord, StreamRecord } from 'aws-lambda';
import { awsEnvironment } from '../template/template.ts';

export interface Change extends DynamoDBRecord {
  dynamodb: StreamRecord & { SequenceNumber: string };
}

interface Shard {
  ShardId: string;
  ParentShardId?: string;
}

interface Page {
  Records: Change[];
  /** Missing when the shard has ended and was read to its end. */
  NextShardIterator?: string;
}

/** The position from which a shard is read. */
export type Start =
  | { ShardIteratorType: 'LATEST' | 'TRIM_HORIZON' }
  | { ShardIteratorType: 'AT_SEQUENCE_NUMBER' | 'AFTER_SEQUENCE_NUMBER'; SequenceNumber: string };

/** An error of DynamoDB; `name` is DynamoDB's name of it. */
class StreamError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

const timeoutMs = 10_000;

/** A client of DynamoDB Streams. It does not use the SDK, because functions get records as JSON, and the SDK decodes binary values. */
export class StreamClient {
  private readonly endpoint: string;

  constructor(endpoint: string) {
    this.endpoint = endpoint;
  }

  /** @returns undefined when the table has no stream. @throws when there is no such table */
  async streamOf(TableName: string): Promise<{ arn: string; label: string } | undefined> {
    const { Table } = await this.call<{ Table: { LatestStreamArn?: string; LatestStreamLabel?: string } }>(
      'DynamoDB_20120810.DescribeTable',
      { TableName },
    );
    const { LatestStreamArn: arn, LatestStreamLabel: label = '' } = Table;
    return arn === undefined ? undefined : { arn, label };
  }

  async shardsOf(StreamArn: string): Promise<Shard[]> {
    const shards: Shard[] = [];
    let last: string | undefined;
    do {
      const { StreamDescription } = await this.call<{
        StreamDescription: { Shards: Shard[]; LastEvaluatedShardId?: string };
      }>('DynamoDBStreams_20120810.DescribeStream', {
        StreamArn,
        ...(last ? { ExclusiveStartShardId: last } : {}),
      });
      shards.push(...StreamDescription.Shards);
      last = StreamDescription.LastEvaluatedShardId;
    } while (last);
    return shards;
  }

  async iterator(StreamArn: string, ShardId: string, start: Start): Promise<string> {
    const { ShardIterator } = await this.call<{ ShardIterator: string }>(
      'DynamoDBStreams_20120810.GetShardIterator',
      { StreamArn, ShardId, ...start },
    );
    return ShardIterator;
  }

  records(ShardIterator: string, Limit: number): Promise<Page> {
    return this.call('DynamoDBStreams_20120810.GetRecords', { ShardIterator, Limit });
  }

  private async call<T>(target: string, body: object): Promise<T> {
    const response = await fetch(this.endpoint, {
      method: 'POST',
      headers: headersFor(target),
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answer = (await response.json()) as T & { __type?: string; message?: string };
    if (response.ok) return answer;
    throw new StreamError(answer.__type?.split('#').at(-1) ?? String(response.status), answer.message ?? '');
  }
}

/** Local servers read the access key of the signature but do not verify it. */
function headersFor(target: string): Record<string, string> {
  const now = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const credential = `local/${now.slice(0, 8)}/${awsEnvironment.region}/dynamodb/aws4_request`;
  return {
    'Content-Type': 'application/x-amz-json-1.0',
    'X-Amz-Target': target,
    'X-Amz-Date': now,
    Authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host;x-amz-date, Signature=local`,
  };
}

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

  /** A position that the stream no longer has is trimmed, so its oldest record is the next. */
  private async begin(position: string | undefined): Promise<string> {
    const { client, stream, shard } = this;
    const oldest = () => client.iterator(stream, shard, { ShardIteratorType: 'TRIM_HORIZON' });
    if (position === undefined) return oldest();
    const after = { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: position } as const;
    return client.iterator(stream, shard, after).catch((error: unknown) => {
      if (error instanceof StreamError) return oldest();
      throw error;
    });
  }
}
