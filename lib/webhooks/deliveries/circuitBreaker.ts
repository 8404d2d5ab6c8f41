import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from '../model/attempt.ts';

/** These outcomes are about the host, and not about one delivery: the host accepts no connection. */
const unreachableOutcomes: readonly (Outcome | undefined)[] = ['connection_error', 'dns_error'];

/** How long the others wait for the first attempt at a host. A refusal is quick; a slow host delays the others no longer. */
const limitMs = 2000;

interface Host {
  refuses: boolean;
  /** Resolves when the first attempt has ended. */
  first: Promise<unknown>;
}

/**
 * Stops the attempts of one invocation at hosts that refuse connections: the first refusal stands for all deliveries to that
 * host. Other invocations share nothing of it.
 */
export class CircuitBreaker {
  private readonly hosts = new Map<string, Host>();

  /**
   * Makes an attempt, unless an earlier one was refused by the same host.
   * @param isFailing whether the last attempt at the receiver failed: then this one waits for the outcome of the first
   * @param make resolves to the outcome of the attempt; undefined when none was made
   * @returns false when it was not made
   */
  async attempt(url: string, isFailing: boolean, make: () => Promise<Outcome | undefined>): Promise<boolean> {
    const name = new URL(url).host;
    const known = this.hosts.get(name);
    if (known && isFailing) await Promise.race([known.first, sleep(limitMs, undefined, { ref: false })]);
    if (known?.refuses) return false;
    const host = known ?? { refuses: false, first: Promise.resolve() };
    const attempt = make().then((outcome) => {
      host.refuses ||= unreachableOutcomes.includes(outcome);
    });
    if (!known) {
      host.first = attempt.catch(() => {});
      this.hosts.set(name, host);
    }
    await attempt;
    return true;
  }
}
