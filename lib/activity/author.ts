import type * as z from 'zod';
import type { author } from '../contract/console/activity.ts';

/** The author of a change: a person in the console, an operator with a command, or the product's backend. */
export type Author = z.output<ReturnType<typeof author>>;

/** The author of a change, with what is known about the request. */
export interface Who extends Author {
  sessionId?: string | undefined;
  ip?: string | undefined;
  /** At most 200 characters. */
  userAgent?: string | undefined;
  requestId?: string | undefined;
}

export const authorOf = ({ kind, id, name }: Author): Author => ({ kind, id, name });
