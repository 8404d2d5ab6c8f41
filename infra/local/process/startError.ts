/** The reason why the local stack cannot start. Its message is printed as it is. */
export class StartError extends Error {
  override name = 'StartError';
}

/** Matches the messages of the operating system, of SQLite and of the database when the disk is full. */
const full = /ENOSPC|EDQUOT|no space left|(?:database or )?disk is full/i;

/** Matches the messages of SQLite and of the embedded database about a file that they cannot read. */
const damaged = /file is not a database|not a valid SQLite database|disk image is malformed/i;

/** Returns whether an error means that a database file cannot be read. */
export const isDamage = (text: string): boolean => damaged.test(text);

/** Returns the error for an unreadable file of the data directory. */
export const damagedFile = (file: string): StartError =>
  new StartError(
    `The database file ${file} is damaged, or is not a database. Delete the data with --fresh, or choose another directory with --data.`,
  );

/** Returns what to print. An error of the machine or of a service becomes its first line, and an error of our code keeps its stack trace. */
export function reasonOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { message } = error;
  if (full.test(message))
    return 'The local stack cannot start: the disk is full. Free some space, or choose another data directory with --data.';
  if (error instanceof StartError) return message;
  if (isDamage(message))
    return 'The local stack cannot start: a database file is damaged. Delete the data with --fresh, or choose another directory with --data.';
  const isOfOthers = ['syscall', 'errcode', '$metadata'].some((mark) => mark in error);
  return isOfOthers ? `The local stack cannot start: ${message.split('\n')[0]}` : error;
}
