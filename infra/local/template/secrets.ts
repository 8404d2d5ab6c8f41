import { createHash } from 'node:crypto';

/**
 * The value of a secret of the template, 64 characters. It is derived from the logical id of the secret, so it needs no storage
 * and is the same at each start. It does not protect local data, because everybody with this code can derive it.
 */
export const secretOf = (id: string): string => createHash('sha256').update(`local#${id}`).digest('hex');
