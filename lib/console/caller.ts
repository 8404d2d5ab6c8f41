import type { Who } from '../activity/author.ts';
import type { Actor } from '../contract/console/session.ts';

/** Who makes a link or ends sessions. */
export interface Caller {
  /** With a command. Never from the input of a function: whoever may invoke it could claim to be an operator. */
  operator?: Who;
  requestId?: string;
}

/** The author of what a caller does: the operator, otherwise the product, for a person. */
export const authorFor = ({ operator, requestId }: Caller, person: Actor): Who => ({
  ...(operator ?? { kind: 'product', ...person }),
  requestId,
});
