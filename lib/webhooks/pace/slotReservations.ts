import { setImmediate as soon } from 'node:timers/promises';
import type { Subscription } from '../model/subscription.ts';
import { readPace, reserve } from './paceItem.ts';

/** Slots that will be reserved for attempts of one subscription. */
interface Gathering {
  count: number;
  startAt: Promise<number[]>;
}

/** Reserves the slots of one invocation: those that are asked for at the same time are one reservation. */
export class SlotReservations {
  private readonly gatherings = new Map<string, Gathering>();

  /** @returns when the attempt may begin, in epoch milliseconds */
  async reserve(account: string, subscription: Subscription): Promise<number> {
    const gathering = this.gatherings.get(subscription.id) ?? this.begin(account, subscription);
    const nth = gathering.count++;
    return (await gathering.startAt)[nth] as number;
  }

  private begin(account: string, subscription: Subscription): Gathering {
    const gathering: Gathering = {
      count: 0,
      startAt: soon().then(async () => {
        const known = await readPace(account, subscription);
        this.gatherings.delete(subscription.id);
        const isDraining = subscription.recovering_since !== undefined;
        return reserve(account, subscription, { count: gathering.count, isDraining, known });
      }),
    };
    this.gatherings.set(subscription.id, gathering);
    return gathering;
  }
}
