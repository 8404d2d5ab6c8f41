/** Why the local stack cannot start, as a sentence for the person who started it. */
export class StartError extends Error {
  override name = 'StartError';
}

/** How the system, SQLite and the database say that there is no room. */
const full = /ENOSPC|EDQUOT|no space left|(?:database or )?disk is full/i;

/** What is printed: of a fault of the machine or of a service its first line says enough, one of ours needs its stack. */
export function reasonOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { message } = error;
  if (full.test(message))
    return 'The local stack cannot start: the disk is full. Free some of it, or choose another data directory with --data.';
  if (error instanceof StartError) return message;
  const isOfOthers = ['syscall', 'errcode', '$metadata'].some((mark) => mark in error);
  return isOfOthers ? `The local stack cannot start: ${message.split('\n')[0]}` : error;
}
