import { useEffect, useState } from 'preact/hooks';
import type { WebhookDelivery } from '../../../../lib/contract/webhookDeliveries.ts';
import type { WebhookSubscription } from '../../../../lib/contract/webhookSubscriptions.ts';
import { forgetRead, readBefore } from '../cache.ts';
import type { Problem } from '../call.ts';
import { anyDelivery, type Deliveries, readDeliveries } from './calls.ts';

/** What is known of the latest deliveries of a subscription; undefined while they are not read. */
export type Outcomes = { deliveries: readonly WebhookDelivery[] } | { problem: Problem };

/** The name of what the page of a subscription reads, too. */
export const deliveriesName = (id: string, filter = anyDelivery): string =>
  `deliveries ${id} ${JSON.stringify(filter)}`;

/** The latest deliveries of subscriptions, read one after the other: together they would be a burst of requests. */
export function useOutcomes(all: readonly WebhookSubscription[]): {
  of: (id: string) => Outcomes | undefined;
  again: () => void;
} {
  const [turn, setTurn] = useState(0);
  const [known, show] = useState<Record<string, Outcomes>>(() =>
    Object.fromEntries(
      all.flatMap(({ id }) => {
        const before = readBefore.get(deliveriesName(id)) as Deliveries | undefined;
        return before ? [[id, { deliveries: before.data }]] : [];
      }),
    ),
  );
  useEffect(() => {
    let isShown = true;
    const read = async () => {
      for (const { id } of all) {
        if (!isShown) return;
        const outcomes = await readDeliveries(id).then(
          (first): Outcomes => {
            const name = deliveriesName(id);
            const before = readBefore.get(name) as Deliveries | undefined;
            // The page of the subscription may have read more.
            if (!before || before.data.length <= first.data.length) readBefore.set(name, first);
            return { deliveries: first.data };
          },
          (problem: Problem): Outcomes => {
            forgetRead(deliveriesName(id));
            return { problem };
          },
        );
        if (isShown) show((before) => ({ ...before, [id]: outcomes }));
      }
    };
    void read();
    return () => {
      isShown = false;
    };
  }, [all, turn]);
  return {
    of: (id) => known[id],
    again: () => {
      show((before) => Object.fromEntries(Object.entries(before).filter(([, one]) => !('problem' in one))));
      setTurn(turn + 1);
    },
  };
}
