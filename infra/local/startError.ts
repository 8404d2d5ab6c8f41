/** Why the local stack cannot start, as a sentence for the person who started it. */
export class StartError extends Error {
  override name = 'StartError';
}

/** What is printed: of an error of the system its message says enough, one of ours needs its stack. */
export function reasonOf(error: unknown): unknown {
  if (error instanceof StartError) return error.message;
  if (error instanceof Error && 'syscall' in error) return `The local stack cannot start: ${error.message}`;
  return error;
}
