import { setTimeout as sleep } from 'node:timers/promises';
import type { EventSourceContext, Poll } from '../lambda/eventSource.ts';
import type { Lambda } from '../lambda/lambda.ts';
import { StartError } from '../process/startError.ts';
import { awsEnvironment, type Resource } from '../template/template.ts';
import { ended } from './checkpoints.ts';
import { type BatchHandler, ConcurrentBatches } from './concurrentBatches.ts';
import { keepFailed } from './failedChanges.ts';
import { type Found, ReadPauses } from './readPauses.ts';
import { ShardReader } from './shardReader.ts';
import { type DiscardReason, processBatch } from './streamBatch.ts';
import { type Change, StreamClient } from './streamClient.ts';
import { readStreamMapping, type StreamMapping } from './streamMapping.ts';

/** The pause after an error of the database or the disk. */
const errorPauseMs = 1000;

/**
 * Reads the stream of a table for a function.
 * @throws StartError when the mapping has a property or a value that the local stack does not know, or the table has no stream
 */
export async function streamSource(resource: Resource, context: EventSourceContext): Promise<Poll> {
  const mapping = readStreamMapping(resource);
  const client = new StreamClient(context.databaseEndpoint);
  const stream = await client.streamOf(mapping.table);
  if (!stream)
    throw new StartError(
      `The table ${mapping.table} has no stream, and ${mapping.id} reads one. Start with an empty database; --fresh empties the embedded one.`,
    );
  context.checkpoints.begin(mapping.id, mapping.table, stream.arn);
  const source = new StreamSource(mapping, context, client, stream);
  return (signal) => source.poll(signal);
}

interface Shard {
  reader: ShardReader;
  batches: ConcurrentBatches;
}

class StreamSource {
  private readonly mapping: StreamMapping;
  private readonly context: EventSourceContext;
  private readonly client: StreamClient;
  private readonly stream: { arn: string; label: string };
  private readonly shards = new Map<string, Shard>();
  private readonly pauses: ReadPauses;

  constructor(
    mapping: StreamMapping,
    context: EventSourceContext,
    client: StreamClient,
    stream: StreamSource['stream'],
  ) {
    this.mapping = mapping;
    this.context = context;
    this.client = client;
    this.stream = stream;
    this.pauses = new ReadPauses(mapping);
  }

  async poll(signal: AbortSignal): Promise<void> {
    let lastError = '';
    const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {});
    while (!signal.aborted) {
      try {
        const found = await this.readShards(signal);
        lastError = '';
        await pause(this.pauses.after(found));
      } catch (error) {
        if (signal.aborted) break;
        const { message } = error as Error;
        if (message !== lastError) console.error(`${this.mapping.id} cannot read its stream: ${message}`);
        lastError = message;
        // Changes that were read but not handled are read again, from the last checkpoint.
        await Promise.all([...this.shards.values()].map(({ batches }) => batches.abandon()));
        this.shards.clear();
        await pause(errorPauseMs);
      }
    }
    await Promise.allSettled([...this.shards.values()].map(({ batches }) => batches.drained()));
  }

  private async readShards(signal: AbortSignal): Promise<Found> {
    if (this.shards.size === 0) await this.findShards(signal);
    let found: Found = 'nothing';
    for (const [id, { reader, batches }] of [...this.shards]) {
      await batches.waitForCapacity();
      if (signal.aborted) return found;
      const { changes, isFull, last } = await this.gather(id, reader, signal);
      batches.take(
        changes.map((change) => this.toLambdaRecord(change)),
        this.mapping.passes,
      );
      if (isFull) found = 'part';
      else if (changes.length > 0 && found === 'nothing') found = 'all';
      if (last) {
        await batches.drained();
        if (signal.aborted) return found;
        this.reach(id, ended);
        await this.findShards(signal);
      }
    }
    return found;
  }

  /** A shard is read only when its parent was read to its end, so that the changes of a record stay in order. */
  private async findShards(signal: AbortSignal): Promise<void> {
    const shards = await this.client.shardsOf(this.stream.arn);
    const open = shards.map(({ ShardId }) => ShardId).filter((shard) => this.positionOf(shard) !== ended);
    for (const id of this.shards.keys()) if (!open.includes(id)) this.shards.delete(id);
    for (const { ShardId, ParentShardId = '' } of shards)
      if (open.includes(ShardId) && !open.includes(ParentShardId) && !this.shards.has(ShardId))
        this.shards.set(ShardId, this.openShard(ShardId, signal));
  }

  private openShard(id: string, signal: AbortSignal): Shard {
    const settings = {
      batchSize: this.mapping.batchSize,
      batchesAtOnce: this.mapping.batchesAtOnce,
      handleBatch: this.batchHandler(id),
      reached: ({ dynamodb }: Change) => this.reach(id, dynamodb.SequenceNumber),
    };
    return {
      reader: new ShardReader(this.client, this.stream.arn, id),
      batches: new ConcurrentBatches(settings, signal),
    };
  }

  /** Reads once. If there are changes for the function, it reads on until the batch is full or its window is over. */
  private async gather(shard: string, reader: ShardReader, signal: AbortSignal) {
    const { batchSize, windowMs, passes } = this.mapping;
    const read = await reader.read(this.positionOf(shard));
    const wanted = () => read.changes.filter(passes).length;
    const end = Date.now() + windowMs;
    while (windowMs > 0 && !read.last && wanted() > 0 && wanted() < batchSize && Date.now() < end) {
      await sleep(Math.min(50, windowMs), undefined, { signal });
      const more = await reader.read(undefined);
      read.changes.push(...more.changes);
      read.isFull = more.isFull;
      read.last = more.last;
    }
    return read;
  }

  private batchHandler(shardId: string): BatchHandler {
    const { id, functionName, keepsFailed } = this.mapping;
    const { folder, lambdas } = this.context;
    const discard = (changes: Change[], reason: DiscardReason) => {
      const batch = { functionName, streamArn: this.stream.arn, shardId, changes, reason };
      const where = keepsFailed ? `kept in ${keepFailed(folder, batch)}` : 'lost';
      console.error(`${id}: ${functionName} failed with ${changes.length} changes; they are ${where}`);
    };
    const lambda = lambdas.get(functionName) as Lambda;
    return async (changes, reached, signal) => {
      const started = performance.now();
      const isHandled = await processBatch({ ...this.mapping, lambda, reached, discard }, changes, signal);
      this.pauses.noteBatch(performance.now() - started);
      return isHandled;
    };
  }

  private positionOf(shard: string): string | undefined {
    return this.context.checkpoints.position(this.mapping.id, shard);
  }

  private reach(shard: string, position: string): void {
    this.context.checkpoints.reach(this.mapping.id, shard, position);
  }

  /** The embedded database has another region in `awsRegion` and in the ARN. */
  private toLambdaRecord(change: Change): Change {
    const { region, account, partition } = awsEnvironment;
    return {
      ...change,
      awsRegion: region,
      eventSourceARN: `arn:${partition}:dynamodb:${region}:${account}:table/${this.mapping.table}/stream/${this.stream.label}`,
    };
  }
}
