import type {
  createKey,
  endOldSecrets as endOld,
  getKey,
  KeyDraft,
  KeyPatch,
  KeyWithSecret,
  revokeKey,
  rotateKey,
  updateKey,
} from '../../../../lib/contract/console/consoleKeys.ts';
import { call } from '../call.ts';
import { keepRecent } from '../readKeys.ts';

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

export const endOldSecrets = async (id: string) =>
  keepRecent(await call<typeof endOld>('POST', `/api/keys/${id}/end-old-secrets`));

export const revoke = async (id: string) =>
  keepRecent(await call<typeof revokeKey>('POST', `/api/keys/${id}/revoke`));
