import type { Checkpoints } from './checkpoints.ts';
import { withGrace } from './grace.ts';
import type { Lambda } from './lambda.ts';
import { queueBatchesAtOnce, queueSource } from './queueSource.ts';
import { streamBatchesAtOnce } from './streamMapping.ts';
import { streamSource } from './streamSource.ts';
import { isStreamArn, type Resource } from './template.ts';

/** What event sources read from, and whom they hand it to. */
export interface Surroundings {
  queuesEndpoint: string;
  databaseEndpoint: string;
  /** The data directory. */
  folder: string;
  checkpoints: Checkpoints;
  lambdas: ReadonlyMap<string, Pick<Lambda, 'invoke'>>;
}

/** Hands over what arrives, until the signal says that all ends. */
export type Poll = (signal: AbortSignal) => Promise<void>;

const readsStream = ({ properties }: Resource): boolean => isStreamArn(properties.EventSourceArn as string);

/** How many batches of a mapping can be under way: of a stream, for its one shard. */
export const batchesAtOnce = (mapping: Resource): number =>
  readsStream(mapping) ? streamBatchesAtOnce(mapping.properties) : queueBatchesAtOnce(mapping);

/**
 * Hands what is in queues and streams to functions as the event source mappings of the template say.
 * @returns ends it; a batch that is under way gets a moment, and comes again when that is not enough
 * @throws StartError when a mapping says what the local stack does not know
 */
export async function startEventSources(
  mappings: readonly Resource[],
  surroundings: Surroundings,
): Promise<() => Promise<void>> {
  const enabled = mappings.filter(({ properties }) => properties.Enabled !== false);
  const polls = await Promise.all(
    enabled.map((mapping): Poll | Promise<Poll> =>
      readsStream(mapping) ? streamSource(mapping, surroundings) : queueSource(mapping, surroundings),
    ),
  );
  const stopping = new AbortController();
  const polling = polls.map((poll) => poll(stopping.signal));
  return async () => {
    stopping.abort();
    await withGrace(polling);
  };
}
