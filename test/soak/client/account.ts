import { randomUUID } from 'node:crypto';
import type { Contact } from '../../../lib/resources/contacts/fields.ts';
import type { Random } from '../../simulation/random.ts';
import { Events } from '../model/events.ts';
import { Records } from '../model/records.ts';
import type { Violations } from '../report/violations.ts';
import type { Caller, CallOptions } from './caller.ts';
import type { Reply, Request } from './http.ts';

/** The keys of an account. */
export interface Keys {
  full: string;
  writer: string;
  reader: string;
}

/** What all accounts of a soak share. */
export interface Surroundings {
  caller: Caller;
  random: Random;
  violations: Violations;
}

/** The programs that use an account, and what they know of its contacts. */
export class Account {
  readonly name: string;
  readonly records = new Records();
  readonly events = new Events();
  readonly random: Random;
  private readonly keys: Keys;
  private readonly surroundings: Surroundings;

  constructor(name: string, keys: Keys, surroundings: Surroundings) {
    this.name = name;
    this.keys = keys;
    this.random = surroundings.random;
    this.surroundings = surroundings;
  }

  /** Sends a request with a key of the account. @returns undefined when its outcome stays unknown */
  call(request: Omit<Request, 'key'>, key: keyof Keys, options: CallOptions): Promise<Reply | undefined> {
    return this.surroundings.caller.call({ ...request, key: this.keys[key] }, options);
  }

  /** Reads something. @returns the body; undefined when there was no answer, or a wrong one */
  async read<Body>(path: string, options: CallOptions): Promise<Body | undefined> {
    const key = this.pick(['full', 'writer', 'reader'] as const);
    const reply = await this.call({ method: 'GET', path }, key, options);
    if (reply && reply.status !== 200) this.refused(`GET ${path}`, reply);
    return reply?.status === 200 ? (reply.body as Body) : undefined;
  }

  /** Something is wrong in this account. */
  report(what: string | undefined): void {
    if (what !== undefined) this.surroundings.violations.add(`${this.name}: ${what}`);
  }

  /** An answer has another status than it must have. */
  refused(what: string, { status, headers, body }: Reply): void {
    this.report(`${what} was answered with ${status} ${JSON.stringify(body)}, ${headers['x-request-id']}`);
  }

  /** Checks contacts in an answer. @param since when the request began */
  check(contacts: readonly Contact[], since: number): void {
    for (const contact of contacts) this.report(this.records.wrongWith(contact, since));
  }

  pick<T>(from: readonly T[]): T {
    return from[this.random.below(from.length)] as T;
  }

  /** A new `Idempotency-Key`. */
  newIdempotencyKey = (): string => randomUUID();
}
