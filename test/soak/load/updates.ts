import type { Contact } from '../../../lib/resources/contacts/fields.ts';
import type { Account } from '../client/account.ts';
import type { Reply } from '../client/http.ts';
import { contentOf, externalIdOf, isNamed, patchOf } from '../model/content.ts';
import type { Known } from '../model/records.ts';
import { create, type Work } from './creates.ts';

const writers = ['full', 'writer'] as const;

/** Notes a change whose answer is the changed contact. */
function changed(account: Account, { row, id, revision, version }: Known, reply: Reply | undefined): void {
  const contact = reply?.body as Contact | undefined;
  if (reply?.status !== 200 || contact?.id !== id || contact.version !== version + 1) {
    if (reply) account.refused(`the change of ${id} to version ${version + 1}`, reply);
    return;
  }
  account.records.acknowledge(row, revision + 1, contact.version);
}

const patch = (account: Account, { id, serial, revision }: Known, dueAt: number, headers = {}) =>
  account.call(
    { method: 'PATCH', path: `/contacts/${id}`, body: patchOf(serial, revision + 1), headers },
    account.pick(writers),
    { kind: 'update', dueAt },
  );

export const update: Work = async (account, dueAt) => {
  const known = account.records.take(account.random);
  if (!known) return create(account, dueAt);
  changed(account, known, await patch(account, known, dueAt));
};

/** A repeated change may get 412, because its own first try has changed the version. Then the contact says what has happened. */
export const updateIfMatch: Work = async (account, dueAt) => {
  const known = account.records.take(account.random);
  if (!known) return create(account, dueAt);
  const headers = { 'If-Match': `"${known.version}"` };
  let reply = await patch(account, known, dueAt, headers);
  if (reply?.status === 412)
    reply = await account.call({ method: 'GET', path: `/contacts/${known.id}` }, 'full', { kind: 'get' });
  changed(account, known, reply);
};

/** Nobody else changes the contact, so an older version in `If-Match` is refused. */
export const updateOutdated: Work = async (account, dueAt) => {
  const known = account.records.take(account.random, ({ version }) => version > 1);
  if (!known) return update(account, dueAt);
  const reply = await patch(account, known, dueAt, { 'If-Match': `"${known.version - 1}"` });
  if (reply && reply.status !== 412) account.refused(`the change of an older version of ${known.id}`, reply);
  account.records.acknowledge(known.row, known.revision, known.version);
};

const named = ({ serial }: Known): boolean => isNamed(serial);

const put = (account: Account, serial: number, revision: number, dueAt: number) => {
  const { external_id, ...body } = contentOf(serial, revision);
  const path = `/contacts/by-external-id/${externalIdOf(serial)}`;
  return account.call({ method: 'PUT', path, body }, account.pick(writers), { kind: 'upsert', dueAt });
};

export const replace: Work = async (account, dueAt) => {
  const known = account.records.take(account.random, named);
  if (!known) return create(account, dueAt);
  changed(account, known, await put(account, known.serial, known.revision + 1, dueAt));
};

/** When the answer to the first try was lost, the second one is 200. */
export const createByExternalId: Work = async (account, dueAt) => {
  const serial = account.records.newSerial('named');
  const reply = await put(account, serial, 1, dueAt);
  if (reply?.status === 200 || reply?.status === 201)
    account.report(account.records.created((reply.body as Contact).id, serial));
  else if (reply) account.refused(`the upsert of contact ${serial}`, reply);
};
