import type { BatchResult } from '../../../lib/resources/contacts/upserts.ts';
import type { Account } from '../client/account.ts';
import { contentOf, isNamed } from '../model/content.ts';
import type { Known } from '../model/records.ts';
import type { Work } from './creates.ts';

/** A contact of a batch: a new one, or a known one with its next revision. */
interface Entry {
  serial: number;
  known?: Known;
}

const created = 3;
const changed = 2;

/** Some contacts are new, others are there. */
export const batch: Work = async (account, dueAt) => {
  const fresh = Array.from({ length: created }, () => ({ serial: account.records.newSerial('named') }));
  const known = Array.from({ length: changed }, () =>
    account.records.take(account.random, ({ serial }) => isNamed(serial)),
  ).filter((one) => one !== undefined);
  let entries: Entry[] = [...fresh, ...known.map((one) => ({ serial: one.serial, known: one }))];
  while (entries.length > 0) entries = await state(account, entries, dueAt);
};

/** Sends a batch. @returns the entries to send again: 504 says that the time has passed before they were certainly stored */
async function state(account: Account, entries: readonly Entry[], dueAt: number): Promise<Entry[]> {
  const contacts = entries.map(({ serial, known }) => contentOf(serial, (known?.revision ?? 0) + 1));
  const request = { method: 'POST', path: '/contacts/batch', body: { contacts } };
  const reply = await account.call(request, account.pick(['full', 'writer']), { kind: 'batch', dueAt });
  if (reply?.status !== 200) {
    if (reply) account.refused('a batch', reply);
    return [];
  }
  const { results } = reply.body as { results: BatchResult[] };
  return entries.filter((entry, i) => {
    const result = results[i] as BatchResult;
    if (result.status === 504) return true;
    note(account, entry, result);
    return false;
  });
}

function note(account: Account, { serial, known }: Entry, result: BatchResult): void {
  const { id, version } = result;
  const isRight = id === (known?.id ?? id) && version === (known?.version ?? 0) + 1;
  if (id === undefined || !isRight)
    account.report(`contact ${serial} in a batch has the result ${JSON.stringify(result)}`);
  else if (known) account.records.acknowledge(known.row, known.revision + 1, version);
  else account.report(account.records.created(id, serial));
}
