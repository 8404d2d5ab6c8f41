import type {
  ConsoleKey,
  createKey,
  getKey,
  KeyDraft,
  KeyPatch,
  listKeys,
  revokeKey,
  rotateKey,
  updateKey,
} from '../../../../lib/contract/console/keys.ts';
import { call } from '../call.ts';

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
  return keys.sort((a, b) => b.created_at.localeCompare(a.created_at));
}

export const readKey = (id: string) => call<typeof getKey>('GET', `/api/keys/${id}`);

export const create = (body: KeyDraft, once: string) =>
  call<typeof createKey>('POST', '/api/keys', { body, once });

export const update = (id: string, body: KeyPatch, version: number) =>
  call<typeof updateKey>('PATCH', `/api/keys/${id}`, { body, version });

export const rotate = (id: string, overlap_seconds: number, once: string) =>
  call<typeof rotateKey>('POST', `/api/keys/${id}/rotate`, { body: { overlap_seconds }, once });

export const revoke = (id: string) => call<typeof revokeKey>('POST', `/api/keys/${id}/revoke`);
