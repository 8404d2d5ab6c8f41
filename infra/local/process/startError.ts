/** The reason why the local stack cannot start. Its message is printed as it is. */
export class StartError extends Error {
  override name = 'StartError';
}

/** The messages of the operating system, of SQLite and of the database when the disk is full. */
const full = /ENOSPC|EDQUOT|no space left|(?:database or )?disk is full/i;

/** What to print. An error of the machine or of a service is its first line; an error of our code keeps its stack trace. */
export function reasonOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { message } = error;
  if (full.test(message))
    return 'The local stack cannot start: the disk is full. Free some space, or choose another data directory with --data.';
  if (error instanceof StartError) return message;
  const isOfOthers = ['syscall', 'errcode', '$metadata'].some((mark) => mark in error);
  return isOfOthers ? `The local stack cannot start: ${message.split('\n')[0]}` : error;
}
