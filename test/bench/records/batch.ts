import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as batchModule from '../../../functions/contacts/batchUpsertContacts.ts';
import type * as appendModule from '../../../lib/records/create/append.ts';
import { newDraft } from '../../../lib/records/create/draft.ts';
import { listRecords } from '../../../lib/records/list.ts';
import { findByExternalId } from '../../../lib/records/upsert/find.ts';
import type { Contact } from '../../../lib/resources/contacts/fields.ts';
import { contacts } from '../../../lib/resources/contacts/record.ts';
import { type BatchResult, batchUpsertContacts } from '../../../lib/resources/contacts/upserts.ts';
import { givenAccount } from '../../support/data/given.ts';
import type * as memoryModule from '../../support/data/separateMemory.ts';
import type * as contentionModule from '../../support/faults/contention.ts';
import { fullAccess, gatewayEvent, lambdaContext } from '../../support/http/events.ts';
import { contactAt, sizeFrom } from '../load/manyContacts.ts';
import { importSeparately } from '../load/separateMemory.ts';
import { type Report, rounded } from '../report/report.ts';
import { quantile, timed } from '../report/statistics.ts';

const clients = 10;
const perBatch = 100;

/** As many contacts with external ids as a transaction can carry. */
const perTransaction = 49;

type Handler = (event: object, context: Context) => Promise<APIGatewayProxyResult>;
type Work = <T>(work: () => Promise<T>) => Promise<T>;

/** How fast ten clients store contacts in one account by batches of a hundred, at a database as far away as the real one. */
export async function batch(): Promise<Report> {
  const { handler } = await importSeparately<typeof batchModule>('functions/contacts/batchUpsertContacts.ts');
  const { withSeparateMemory } = await importSeparately<typeof memoryModule>(
    'test/support/data/separateMemory.ts',
  );
  const { simulateRemoteDatabase } = await importSeparately<typeof contentionModule>(
    'test/support/faults/contention.ts',
  );
  const { append } = await importSeparately<typeof appendModule>('lib/records/create/append.ts');
  const each = Math.ceil(sizeFrom('BENCH_BATCHED', 20_000) / clients / perBatch);
  const raw = [];
  const alone = [];
  const loud = process.stdout.write;
  for (const latencyMs of [0, 8]) {
    const account = givenAccount();
    const undo = latencyMs > 0 ? simulateRemoteDatabase({ latencyMs, conflicts: true }) : () => {};
    // The log of the handlers.
    process.stdout.write = () => true;
    try {
      const send = senderOf(handler as unknown as Handler, account);
      // The first batches of a process take longer, until its code is compiled.
      await race(senderOf(handler as unknown as Handler, givenAccount()), withSeparateMemory, 1, 'new');
      alone.push([latencyMs, await transactionsOnly(append, 5 * each)] as const);
      for (const kind of ['new', 'changed'])
        raw.push({ latencyMs, kind, ...(await race(send, withSeparateMemory, each, kind)) });
    } finally {
      process.stdout.write = loud;
      undo();
    }
    for (const one of raw.filter((one) => one.latencyMs === latencyMs))
      Object.assign(one, { lost: await lostOf(account, one.stored) });
  }
  return {
    title: 'Storing contacts by batches',
    columns: ['Added to each call', 'Contacts', 'Contacts per second', 'p50 ms', 'p99 ms', 'Failed', 'Lost'],
    rows: raw.map(({ latencyMs, kind, perSecond, p50, p99, failed, ...more }) => [
      latencyMs === 0 ? 'none' : `${latencyMs} ms, with conflicts`,
      kind,
      rounded(perSecond),
      rounded(p50),
      rounded(p99),
      failed,
      (more as { lost?: number }).lost ?? Number.NaN,
    ]),
    notes: [
      `${clients} clients, which share no memory, each with one batch of ${perBatch} after the other, in one account. Times are of a whole batch, ` +
        'from its body to its answer, without a gateway. Lost are those that were acknowledged and are not there with the id and in at ' +
        'least the version of the answer.',
      ...alone.map(
        ([latencyMs, perSecond]) =>
          `The bound with ${latencyMs} ms: one process that only commits transactions of ${perTransaction} such contacts, without any client beside it, ` +
          `stores ${rounded(perSecond)} a second.`,
      ),
    ],
    raw: raw.map(({ stored, ...figures }) => ({ ...figures, stored: stored.size })),
  };
}

/** What the transactions alone allow, one after the other. @returns contacts a second */
async function transactionsOnly(append: typeof appendModule.append, transactions: number): Promise<number> {
  const drafts = Array.from({ length: transactions * perTransaction }, (_, i) =>
    newDraft<Contact>({ ...contactAt(i), external_id: `crm-${i}` }),
  );
  const { ms } = await timed(() => append(contacts, givenAccount(), drafts));
  return (1000 * drafts.length) / ms;
}

/** Sends a batch to the handler. @returns the results */
const senderOf =
  (handler: Handler, account: string) =>
  async (body: object): Promise<BatchResult[]> => {
    const event = gatewayEvent(batchUpsertContacts, fullAccess(account), { body });
    const answer = await handler(event, lambdaContext());
    if (answer.statusCode !== 200) throw new Error(answer.body);
    return (JSON.parse(answer.body) as { results: BatchResult[] }).results;
  };

async function race(
  send: (body: object) => Promise<BatchResult[]>,
  withSeparateMemory: Work,
  each: number,
  kind: string,
) {
  const times: number[] = [];
  const stored = new Map<string, BatchResult>();
  let failed = 0;
  const client = async (nth: number) => {
    for (let i = 0; i < each; i++) {
      const from = (nth * each + i) * perBatch;
      const entries = Array.from({ length: perBatch }, (_, at) => ({
        ...contactAt(from + at),
        external_id: `crm-${from + at}`,
        note: kind,
      }));
      const { ms, result } = await timed(() => send({ contacts: entries }).catch(() => []));
      times.push(ms);
      for (const [at, { external_id }] of entries.entries()) {
        const one = result[at];
        if (one?.id === undefined) failed += 1;
        else stored.set(external_id, one);
      }
    }
  };
  const all = Array.from({ length: clients }, (_, nth) => withSeparateMemory(() => client(nth)));
  const before = process.cpuUsage();
  const { ms } = await timed(() => Promise.all(all));
  const { user, system } = process.cpuUsage(before);
  return {
    perSecond: (1000 * stored.size) / ms,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    failed,
    /** Of this process alone, which has the work of ten Lambdas and that of the simulation. */
    cpuMsPerBatch: (user + system) / 1000 / times.length,
    stored,
  };
}

/** How many contacts were acknowledged and are not there, each read by its external id, and how many are there twice. */
async function lostOf(account: string, stored: ReadonlyMap<string, BatchResult>): Promise<number> {
  const names = [...stored.keys()];
  const there = new Set<string>();
  let [lost, total] = [0, 1];
  for (let offset = 0; offset < total; offset += perBatch) {
    const { data, pagination } = await listRecords(contacts, account, { limit: perBatch, offset });
    total = pagination.total;
    for (const { external_id } of data) there.add(external_id as string);
  }
  for (let at = 0; at < names.length; at += perBatch) {
    const some = names.slice(at, at + perBatch);
    const found = await findByExternalId(contacts, account, some);
    for (const name of some) {
      const { id, version = 0 } = stored.get(name) as BatchResult;
      const record = found.get(name)?.record;
      if (!record || record.id !== id || record.version < version) lost += 1;
    }
  }
  return lost + total - there.size;
}
