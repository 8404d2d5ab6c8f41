import type { GatheredReads } from '../../dynamodb/gatheredReads.ts';
import { endForAnotherHost, isForAnotherHost } from '../deliveries/cancel.ts';
import type { RecoveryMessage } from '../deliveries/deliveryQueue.ts';
import { makeAttempt } from '../deliveries/makeAttempt.ts';
import { blockedHostsKey, secretsKey, subscriptionKey, suspensionKey } from '../keys.ts';
import type { Secrets } from '../subscriptions/secrets.ts';
import { isBlockedIn } from '../subscriptions/stoppedHosts.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { isSuspended } from '../subscriptions/suspension.ts';
import { drain, type OrderOwner } from './drain.ts';
import { probe } from './probe.ts';

/** Runs an order once. A message that is received twice, or that is out of date, does no harm. */
export async function runOrder(message: RecoveryMessage, reads: GatheredReads): Promise<void> {
  const { account, subscription_id } = message;
  const readOwner = async (): Promise<OrderOwner> => {
    const [subscription, suspension] = await reads.read(
      subscriptionKey(account, subscription_id),
      suspensionKey(account),
    );
    return {
      account,
      subscription: subscription as Subscription | undefined,
      suspended: isSuspended(suspension),
    };
  };
  if (message.order === 'release') return drain(message, readOwner);
  await probe(message, readOwner, async (subscription, delivery) => {
    const [secrets, hosts] = await reads.read(secretsKey(account, subscription_id), blockedHostsKey);
    if (!secrets || isBlockedIn(hosts, subscription.host)) return undefined;
    if (isForAnotherHost(subscription, delivery)) return void (await endForAnotherHost(delivery));
    return makeAttempt(
      account,
      { delivery, subscription, secrets: secrets as unknown as Secrets, isProbe: true },
      reads,
    );
  });
}
