import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from '../sending/attempt.ts';

/** What tells about a host and not about one delivery: nobody there takes a connection. */
const refusals: readonly (Outcome | undefined)[] = ['connection_error', 'dns_error'];

/** How long others wait for the first attempt at a host. Refusals are quick; whoever is only slow keeps nobody waiting for longer. */
const patienceMs = 2000;

interface Host {
  refuses: boolean;
  /** Resolves when the first attempt has ended. */
  first: Promise<unknown>;
}

/** The attempts that one invocation makes. Of a host that refuses connections it asks once, and not for each delivery. */
export class HostRound {
  private readonly hosts = new Map<string, Host>();

  /**
   * Makes an attempt, unless another one of this round has shown that its host refuses connections.
   * @param inTrouble whether the last attempt there failed: then one goes first, and the others wait for what comes of it
   * @param make resolves to what came of the attempt; undefined when none was made
   * @returns false when it was not made
   */
  async attempt(url: string, inTrouble: boolean, make: () => Promise<Outcome | undefined>): Promise<boolean> {
    const name = new URL(url).host;
    const known = this.hosts.get(name);
    if (known && inTrouble) await Promise.race([known.first, sleep(patienceMs, undefined, { ref: false })]);
    if (known?.refuses) return false;
    const host = known ?? { refuses: false, first: Promise.resolve() };
    const made = make().then((outcome) => {
      host.refuses ||= refusals.includes(outcome);
    });
    if (!known) {
      host.first = made.catch(() => {});
      this.hosts.set(name, host);
    }
    await made;
    return true;
  }
}
