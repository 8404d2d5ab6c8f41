import { isDeepStrictEqual } from 'node:util';
import { planUnlessThere, putInPlaceOf } from './conditions.ts';
import { planDelivery } from './deliveries.ts';
import type { Item, Plan, Restoration, Restorer } from './restoration.ts';
import { recount } from './subscriptionCount.ts';
import { planSecrets, planSubscription } from './subscriptions.ts';
import { planUrl } from './urls.ts';
import { kindOfWebhooksItem } from './webhookKinds.ts';

/**
 * Brings back subscriptions with their secrets, events and deliveries. Sent deliveries, deleted subscriptions and
 * rotated secrets stay as they are.
 */
export class WebhooksRestorer implements Restorer {
  readonly kindOf = kindOfWebhooksItem;
  /** Without its subscription, a pending delivery would be cancelled. */
  readonly early = ['subscription'];
  private readonly restoration: Restoration;
  private readonly accounts = new Set<string>();

  constructor(restoration: Restoration) {
    this.restoration = restoration;
  }

  async plan(kind: string, restored: Item, living: Item | undefined): Promise<Plan> {
    const { to } = this.restoration.job;
    if (kind === 'subscription') this.accounts.add(accountOf(restored));
    if (kind === 'subscription') return planSubscription(this.restoration, restored, living);
    if (kind === 'secrets') return planSecrets(this.restoration, restored, living);
    if (kind === 'delivery') return planDelivery(this.restoration, restored, living);
    if (kind === 'event') return planEvent(to, restored, living);
    if (kind === 'url') return planUrl(this.restoration, restored, living);
    if (['answer', 'deleted', 'suspension'].includes(kind)) return planUnlessThere(to, restored, living);
    // `finish` counts the subscriptions again, and each one that comes back orders a release of its deliveries.
    return 'passed_over';
  }

  async finish(): Promise<void> {
    const { dryRun, to } = this.restoration.job;
    if (!dryRun) for (const account of this.accounts) await recount(to, account);
  }
}

const accountOf = ({ pk }: Item): string => String(pk).split('#')[0] as string;

/** Nothing changes an event: every attempt sends the same bytes. */
function planEvent(to: string, restored: Item, living: Item | undefined): Plan {
  if (living && isDeepStrictEqual(living.bodies, restored.bodies)) return 'same';
  return { actions: [putInPlaceOf(to, living, restored)] };
}
