import type { Change } from '../../../infra/local/stream/streamClient.ts';
import { secretsKey, subscriptionKey } from '../../../lib/webhooks/model/webhookKeys.ts';
import { aStreamedRecord, changeTo, type StreamedRecord } from '../../support/data/streamedChanges.ts';
import { SimulatedDatabase } from '../database.ts';
import { Random } from '../random.ts';
import { elapsedMs, runUntil, sleep } from '../virtualTime.ts';
import { startPipeline } from './pipeline.ts';
import { badAnswers, receivers } from './receivers.ts';
import type { SimulatedStream } from './stream.ts';

/** An account changes contacts at a pace. */
export interface FairnessLoad {
  perSecond: number;
  seconds: number;
  /**
   * Receivers besides the one that is measured: healthy ones, and bad ones, of which a third each hang, fail and refuse.
   * These have never answered, or were quick until the load begins.
   */
  beside?: { healthy: number; bad: number; wereQuick?: boolean };
  /** One in this many answers of healthy receivers takes longer than a quick one may. */
  blipEvery?: number;
  seed: number;
}

export interface FairnessResult {
  /** The webhooks that are measured: when the change was made, in milliseconds since the beginning, and how long after it the webhook came. */
  arrivals: { id: string; changedAt: number; ms: number }[];
  /** The longest time between two webhooks in a row. */
  longestGapMs: number;
  lost: number;
  duplicates: number;
}

/** So many that two changes are hardly ever at the same one. */
const contactCount = 100;

const pollMs = 100;

/** When nothing has arrived for so long, the rest is lost. */
const quietMs = 60_000;

/** An account with its receivers, of which the first is measured. The note of a contact is the number of the change, so its webhooks are known by it. */
export class Account {
  /** When each change was made, in milliseconds of virtual time. */
  readonly changedAt: number[] = [];
  private readonly name: string;
  private readonly receiverCount: number;
  private readonly stream: Pick<SimulatedStream, 'write'>;
  private readonly contacts: readonly StreamedRecord[];

  constructor(
    name: string,
    { healthy, bad, wereQuick = false }: NonNullable<FairnessLoad['beside']>,
    stream: Pick<SimulatedStream, 'write'>,
    database: SimulatedDatabase,
  ) {
    this.name = name;
    this.receiverCount = healthy;
    this.stream = stream;
    this.contacts = Array.from({ length: contactCount }, (_, i) => aStreamedRecord(name, i));
    const kinds = Object.keys(badAnswers);
    for (let nth = 0; nth < healthy + bad; nth++)
      subscribe(database, name, nth, {
        path: nth < healthy ? `${nth}` : `${kinds[nth % kinds.length]}-${nth}`,
        isQuick: nth < healthy || wereQuick,
      });
  }

  /** Changes a contact, each time the next one. */
  change(): void {
    const nth = this.changedAt.push(elapsedMs()) - 1;
    const contact = this.contacts[nth % contactCount] as StreamedRecord;
    void this.stream.write([
      changeTo(contact, 1 + Math.floor(nth / contactCount), { note: `${nth}` }) as Change,
    ]);
  }

  arrivals = () => receivers.arrivals.filter(({ url }) => url.startsWith(`https://${this.name}.`));

  measured = () => receivers.arrivals.filter(({ url }) => url === `https://${this.name}.example/0`);

  /** Resolves when each change has arrived at each healthy receiver, or nothing arrives any more. */
  async arrived(): Promise<void> {
    const expected = this.changedAt.length * this.receiverCount;
    for (let [count, since] = [-1, elapsedMs()]; ; await sleep(pollMs)) {
      const now = this.arrivals().length;
      if (now !== count) [count, since] = [now, elapsedMs()];
      if (now >= expected || elapsedMs() - since > quietMs) return;
    }
  }

  faults(): { lost: number; duplicates: number } {
    const all = this.arrivals();
    const different = new Set(all.map(({ url, body }) => `${url} ${numberIn(body)}`)).size;
    return {
      lost: this.changedAt.length * this.receiverCount - different,
      duplicates: all.length - different,
    };
  }
}

const numberIn = (body: string): number => Number(JSON.parse(body).data.note);

/** Subscribes a receiver of an account. */
export function subscribe(
  database: SimulatedDatabase,
  account: string,
  nth: number,
  { path, isQuick, limit }: { path: string; isQuick: boolean; limit?: number | undefined },
): void {
  const id = `whs_${String(nth).padStart(24, '0')}`;
  const host = `${account}.example`;
  const key = subscriptionKey(account, id);
  database.set({
    ...key,
    id,
    url: `https://${host}/${path}`,
    host,
    event_types: ['contact.created', 'contact.updated'],
    payload: 'full',
    max_per_second: limit ?? null,
    status: 'active',
    status_reason: null,
    version: 1,
    key_ids: [],
    receiver: {
      ...(isQuick ? { speed: 'quick', accepted_host: host } : {}),
      consecutive_failures: 0,
      last_success_at: null,
      last_failure_at: null,
    },
    created_at: '2025-01-01T00:00:00.000Z',
    logged: { count: 0, days: {} },
    recovery: { next: 0, from: 0, steps: 0 },
  });
  database.set({ ...secretsKey(account, id), secrets: [{ secret: 's' }] });
}

/** Runs a load. All must have arrived at its end, or nothing for a minute. */
export async function measureFairness(load: FairnessLoad): Promise<FairnessResult> {
  const random = new Random(load.seed);
  Math.random = random.next;
  const database = new SimulatedDatabase('aws', random);
  Object.assign(receivers, { arrivals: [], blipEvery: load.blipEvery ?? 0 });
  const stream = startPipeline(database, random);
  const beside = load.beside ?? { healthy: 0, bad: 0 };
  const one = new Account('acc_one', { ...beside, healthy: 1 + beside.healthy }, stream, database);
  const end = elapsedMs() + load.seconds * 1000;
  await runUntil(steadily(one, load, end, random));
  stream.close();
  const measured = one.measured();
  const times = measured.map(({ at }) => at).sort((a, b) => a - b);
  return {
    arrivals: measured.map(({ body, at }) => {
      const nth = numberIn(body);
      const changedAt = one.changedAt[nth] as number;
      return { id: String(nth), changedAt, ms: at - changedAt };
    }),
    longestGapMs: Math.max(...times.slice(1).map((at, i) => at - (times[i] as number))),
    ...one.faults(),
  };
}

async function steadily(
  account: Account,
  { perSecond }: FairnessLoad,
  end: number,
  random: Random,
): Promise<void> {
  while (elapsedMs() < end) {
    account.change();
    await sleep((1000 / perSecond) * (0.5 + random.next()));
  }
  await account.arrived();
}
