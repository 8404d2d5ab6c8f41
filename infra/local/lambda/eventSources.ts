import { drain } from '../process/drain.ts';
import { queueBatchesAtOnce, queueSource } from '../queue/queueSource.ts';
import { streamSource } from '../stream/streamSource.ts';
import { isStreamArn, type Resource } from '../template/template.ts';
import type { EventSourceContext, Poll } from './eventSource.ts';

const readsStream = ({ properties }: Resource): boolean => isStreamArn(properties.EventSourceArn as string);

export const batchesAtOnce = (mapping: Resource): number =>
  readsStream(mapping) ? 1 : queueBatchesAtOnce(mapping);

/**
 * Starts the event source mappings of the template.
 * @returns stops them. A running batch gets a moment to finish; otherwise, it is processed again after the next start.
 * @throws StartError if a mapping has a property or a value that the local stack does not know
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
