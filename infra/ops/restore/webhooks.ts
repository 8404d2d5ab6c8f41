import { isDeepStrictEqual } from 'node:util';
import { eventWithoutPerson, isEventErased } from '../erase/backups.ts';
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
    if (['answer', 'deleted', 'suspension', 'blocked_hosts', 'stopped_host'].includes(kind))
      return planUnlessThere(to, restored, living);
    // `finish` counts the subscriptions again, and each one that comes back orders a release of its deliveries. A bulk redelivery would
    // send again what it has sent since.
    return 'passed_over';
  }

  async finish(): Promise<void> {
    const { dryRun, to } = this.restoration.job;
    if (!dryRun) for (const account of this.accounts) await recount(to, account);
  }
}

const accountOf = ({ pk }: Item): string => String(pk).split('#')[0] as string;

/** Only an erasure changes an event: otherwise every attempt sends the same bytes. */
async function planEvent(to: string, restored: Item, living: Item | undefined): Promise<Plan> {
  if (living?.bodies && isDeepStrictEqual(living.bodies, restored.bodies)) return 'same';
  const account = accountOf(restored);
  if (!living?.erased && !(await isEventErased(account, restored)))
    return { actions: [putInPlaceOf(to, living, restored)] };
  if (living?.bodies || !restored.bodies) return 'kept';
  return { actions: [putInPlaceOf(to, living, eventWithoutPerson(restored))] };
}
