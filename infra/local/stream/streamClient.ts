import type { DynamoDBRecord, StreamRecord } from 'aws-lambda';
import { awsEnvironment } from '../template/template.ts';

export interface Change extends DynamoDBRecord {
  dynamodb: StreamRecord & { SequenceNumber: string };
}

/** An error from DynamoDB, with DynamoDB's own `name`. */
class StreamError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

const timeoutMs = 10_000;

/** Calls DynamoDB Streams without the SDK, because functions get records as JSON, and the SDK decodes binary values. */
async function call<T>(endpoint: string, target: string, body: object): Promise<T> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: headersFor(target),
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const answer = (await response.json()) as T & { __type?: string; message?: string };
  if (response.ok) return answer;
  throw new StreamError(answer.__type?.split('#').at(-1) ?? String(response.status), answer.message ?? '');
}

/** The stream of a table. The embedded database gives each stream one shard. */
export interface StreamRef {
  arn: string;
  label: string;
  shardId: string;
}

/** @returns undefined if the table has no stream. @throws if there is no such table */
export async function streamOf(endpoint: string, TableName: string): Promise<StreamRef | undefined> {
  const { Table } = await call<{ Table: { LatestStreamArn?: string; LatestStreamLabel?: string } }>(
    endpoint,
    'DynamoDB_20120810.DescribeTable',
    { TableName },
  );
  const { LatestStreamArn: arn, LatestStreamLabel: label = '' } = Table;
  if (arn === undefined) return undefined;
  const { StreamDescription } = await call<{ StreamDescription: { Shards: { ShardId: string }[] } }>(
    endpoint,
    'DynamoDBStreams_20120810.DescribeStream',
    { StreamArn: arn },
  );
  return { arn, label, shardId: StreamDescription.Shards[0]?.ShardId ?? '' };
}

/** Local servers read the access key from the signature, but do not verify the signature. */
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

/** How many records one read returns. It is larger than a batch because a filter may pass only a few of them. */
const readAtOnce = 500;

/** Reads a stream in order, from the record after a position. */
export class StreamReader {
  private readonly endpoint: string;
  private readonly stream: StreamRef;
  private next: string | undefined;

  constructor(endpoint: string, stream: StreamRef) {
    this.endpoint = endpoint;
    this.stream = stream;
  }

  /**
   * @param position the position of the last handled record; undefined if none was handled
   * @returns the records since the last read; `isFull` means that there may be more
   */
  async read(position: string | undefined): Promise<{ changes: Change[]; isFull: boolean }> {
    const { Records, NextShardIterator } = await call<{ Records: Change[]; NextShardIterator: string }>(
      this.endpoint,
      'DynamoDBStreams_20120810.GetRecords',
      { ShardIterator: this.next ?? (await this.begin(position)), Limit: readAtOnce },
    );
    this.next = NextShardIterator;
    return { changes: Records, isFull: Records.length === readAtOnce };
  }

  /** If the stream no longer contains the position, it has been trimmed, and its oldest record comes next. */
  private async begin(position: string | undefined): Promise<string> {
    const oldest = () => this.iterator({ ShardIteratorType: 'TRIM_HORIZON' });
    if (position === undefined) return oldest();
    const after = { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: position };
    return this.iterator(after).catch((error: unknown) => {
      if (error instanceof StreamError) return oldest();
      throw error;
    });
  }

  private async iterator(start: object): Promise<string> {
    const { arn: StreamArn, shardId: ShardId } = this.stream;
    const { ShardIterator } = await call<{ ShardIterator: string }>(
      this.endpoint,
      'DynamoDBStreams_20120810.GetShardIterator',
      { StreamArn, ShardId, ...start },
    );
    return ShardIterator;
  }
}
