import { isPassing } from '../../lib/dynamodb/conflicts.ts';

/** Why a command cannot do what it was asked to, as a sentence for the person who asked. */
export class OpsError extends Error {
  override name = 'OpsError';
}

/** Runs a command: what a person can mend ends in one sentence, what only we can in a stack trace, and both in exit code 1. */
export async function runCommand(command: () => Promise<unknown>): Promise<void> {
  try {
    await command();
  } catch (error) {
    console.error(sentenceOf(error) ?? error);
    process.exitCode = 1;
  }
}

function sentenceOf(error: unknown): string | undefined {
  if (error instanceof OpsError) return error.message;
  if (!isPassing(error)) return undefined;
  return `The database or the inbox is busy or out of reach: ${(error as Error).message}. Try again when it answers.`;
}
