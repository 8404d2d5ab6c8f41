import type { Contact } from '../../../lib/resources/contacts/fields.ts';
import type { Account } from '../client/account.ts';
import type { Reply } from '../client/http.ts';
import { contentOf } from '../model/content.ts';

/** Requests of one kind, at a time by `performance.now()`. */
export type Work = (account: Account, dueAt: number) => Promise<void>;

/** A create that was acknowledged, to be sent again. */
interface Sent {
  idempotencyKey: string;
  serial: number;
  id: string;
}

/** The latest of each account. */
const latest = new WeakMap<Account, Sent[]>();
const latestMax = 50;

const writers = ['full', 'writer'] as const;

function post(account: Account, serial: number, dueAt: number, idempotencyKey?: string) {
  const headers = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey };
  return account.call(
    { method: 'POST', path: '/contacts', body: contentOf(serial, 1), headers },
    account.pick(writers),
    { kind: 'create', dueAt, mayRepeat: idempotencyKey !== undefined },
  );
}

/** Notes what was created. @returns its id */
function created(account: Account, serial: number, reply: Reply | undefined): string | undefined {
  if (!reply) return undefined;
  if (reply.status !== 201) {
    account.refused(`the create of contact ${serial}`, reply);
    return undefined;
  }
  const contact = reply.body as Contact;
  account.report(account.records.created(contact.id, serial));
  return contact.id;
}

/** A create that is repeated until it is acknowledged. */
export const create: Work = async (account, dueAt) => {
  const serial = account.records.newSerial(account.pick(['named', 'nameless']));
  const idempotencyKey = account.newIdempotencyKey();
  const id = created(account, serial, await post(account, serial, dueAt, idempotencyKey));
  if (id === undefined) return;
  const sent = latest.get(account) ?? [];
  latest.set(account, [...sent.slice(1 - latestMax), { idempotencyKey, serial, id }]);
};

/** The same create twice at the same time, as by an impatient client. */
export const createTwice: Work = async (account, dueAt) => {
  const serial = account.records.newSerial('nameless');
  const idempotencyKey = account.newIdempotencyKey();
  const replies = await Promise.all([
    post(account, serial, dueAt, idempotencyKey),
    post(account, serial, dueAt, idempotencyKey),
  ]);
  for (const reply of replies) created(account, serial, reply);
};

/** A create that cannot be repeated: when its answer is lost, the contact is there once or not at all. */
export const createOnce: Work = async (account, dueAt) => {
  const serial = account.records.newSerial(account.pick(['named', 'nameless']));
  created(account, serial, await post(account, serial, dueAt));
};

/** A create that was acknowledged is sent again. */
export const createAgain: Work = async (account, dueAt) => {
  const before = account.pick(latest.get(account) ?? []);
  if (!before) return create(account, dueAt);
  const reply = await post(account, before.serial, dueAt, before.idempotencyKey);
  if (created(account, before.serial, reply) !== before.id || !reply?.headers['idempotent-replayed'])
    account.report(`the create of ${before.id} was repeated, and was not answered as before`);
};
