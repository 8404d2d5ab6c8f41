import { drain } from '../process/drain.ts';
import { queueBatchesAtOnce, queueSource } from '../queue/queueSource.ts';
import { streamBatchesAtOnce } from '../stream/streamMapping.ts';
import { streamSource } from '../stream/streamSource.ts';
import { isStreamArn, type Resource } from '../template/template.ts';
import type { EventSourceContext, Poll } from './eventSource.ts';

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
  context: EventSourceContext,
): Promise<() => Promise<void>> {
  const enabled = mappings.filter(({ properties }) => properties.Enabled !== false);
  const polls = await Promise.all(
    enabled.map((mapping): Poll | Promise<Poll> =>
      readsStream(mapping) ? streamSource(mapping, context) : queueSource(mapping, context),
    ),
  );
  const stopping = new AbortController();
  const polling = polls.map((poll) => poll(stopping.signal));
  return async () => {
    stopping.abort();
    await drain(polling);
  };
}
