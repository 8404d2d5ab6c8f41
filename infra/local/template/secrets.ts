import { createHash } from 'node:crypto';

/**
 * The value of a secret of the template, 64 characters. Here it follows from the secret's name, as the names of tables do:
 * there is nothing to keep beside the data, wherever that is, and nothing to lose. It is no secret from whoever has this code;
 * what it hides is the data of whoever started the stack.
 */
export const secretOf = (id: string): string => createHash('sha256').update(`local#${id}`).digest('hex');
