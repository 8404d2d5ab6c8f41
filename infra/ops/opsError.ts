/** Why a command cannot do what it was asked to, as a sentence for the person who asked. */
export class OpsError extends Error {
  override name = 'OpsError';
}

/** Runs a command: what a person can mend ends in one sentence, what only we can in a stack trace, and both in exit code 1. */
export async function runCommand(command: () => Promise<unknown>): Promise<void> {
  try {
    await command();
  } catch (error) {
    console.error(error instanceof OpsError ? error.message : error);
    process.exitCode = 1;
  }
}
