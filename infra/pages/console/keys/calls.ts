import type {
  ConsoleKey,
  createKey,
  getKey,
  KeyDraft,
  KeyPatch,
  KeyWithSecret,
  listKeys,
  revokeKey,
  rotateKey,
  updateKey,
} from '../../../../lib/contract/console/keys.ts';
import { call } from '../call.ts';
import { keepRecent, withRecent } from './recent.ts';

const limit = 100;

/** All keys of the account, newest first. */
export async function readKeys(): Promise<ConsoleKey[]> {
  const keys: ConsoleKey[] = [];
  for (;;) {
    const query = { limit, offset: keys.length };
    const { data, pagination } = await call<typeof listKeys>('GET', '/api/keys', { query });
    keys.push(...data);
    if (data.length === 0 || keys.length >= pagination.total) break;
  }
  return withRecent(keys);
}

export const readKey = (id: string) => call<typeof getKey>('GET', `/api/keys/${id}`);

const withKeyKept = async (answer: Promise<KeyWithSecret>): Promise<KeyWithSecret> => {
  const { key, secret } = await answer;
  return { key: keepRecent(key), secret };
};

export const create = (body: KeyDraft, once: string) =>
  withKeyKept(call<typeof createKey>('POST', '/api/keys', { body, once }));

export const update = async (id: string, body: KeyPatch, version: number) =>
  keepRecent(await call<typeof updateKey>('PATCH', `/api/keys/${id}`, { body, version }));

export const rotate = (id: string, overlap_seconds: number, once: string) =>
  withKeyKept(call<typeof rotateKey>('POST', `/api/keys/${id}/rotate`, { body: { overlap_seconds }, once }));

export const revoke = async (id: string) =>
  keepRecent(await call<typeof revokeKey>('POST', `/api/keys/${id}/revoke`));
