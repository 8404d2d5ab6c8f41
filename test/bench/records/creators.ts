import { createRecord } from '../../../lib/records/create/create.ts';
import { listRecords } from '../../../lib/records/list.ts';
import { byProduct } from '../../../lib/records/origin.ts';
import { blankContact } from '../../../lib/resources/contacts/fields.ts';
import { contacts } from '../../../lib/resources/contacts/record.ts';
import { givenAccount } from '../../support/data/given.ts';
import { distances } from '../load/databaseDistance.ts';
import { type Report, rounded } from '../report/report.ts';
import { quantile, timed } from '../report/statistics.ts';

const writerCounts = [1, 10, 50, 200];

/** What a request gives to its work. */
const deadlineMs = 9000;

/** Writers that create in one account, each one record after the other. */
async function race(writers: number, each: number) {
  const account = givenAccount();
  const times: number[] = [];
  let failures = 0;
  const writer = async () => {
    for (let i = 0; i < each; i++) {
      const created = () =>
        createRecord(
          contacts,
          account,
          { ...blankContact, email: 'a@example.com' },
          { deadline: Date.now() + deadlineMs, origin: byProduct },
        );
      const { ms, result } = await timed(() => created().catch(() => undefined));
      if (result) times.push(ms);
      else failures += 1;
    }
  };
  const { ms } = await timed(() => Promise.all(Array.from({ length: writers }, writer)));
  const { total } = (await listRecords(contacts, account, { limit: 1, offset: 0 })).pagination;
  return {
    writers,
    perSecond: (1000 * times.length) / ms,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    failures,
    missing: times.length - total,
  };
}

/** How fast many create in one account at once, at this database and at one as far away as the real one is. */
export async function creators(): Promise<Report> {
  const raw: (Awaited<ReturnType<typeof race>> & { distance: string })[] = [];
  for (const { name, begin } of distances) {
    await race(1, 20);
    for (const writers of writerCounts) {
      const undo = begin();
      try {
        raw.push({ distance: name, ...(await race(writers, Math.ceil(600 / writers))) });
      } finally {
        undo();
      }
    }
  }
  return {
    title: 'Creating in one account at once',
    columns: ['Added to each call', 'Writers', 'Creates per second', 'p50 ms', 'p99 ms', 'Failed', 'Lost'],
    rows: raw.map(({ distance, writers, perSecond, p50, p99, failures, missing }) => [
      distance,
      writers,
      rounded(perSecond),
      rounded(p50),
      rounded(p99),
      failures,
      missing,
    ]),
    raw,
  };
}
