import { isTransient } from '../../lib/dynamodb/conflicts.ts';

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

/** Errors of any service of AWS that other credentials, another region or another stack would not meet. */
const denied =
  /AccessDenied|NotAuthorized|UnauthorizedOperation|ExpiredToken|UnrecognizedClient|InvalidClientTokenId|InvalidSignature|SignatureDoesNotMatch|IncompleteSignature|CredentialsProviderError|TokenProviderError|OptInRequired|ResourceNotFound|NonExistentQueue|NoSuchBucket/;

function sentenceOf(error: unknown): string | undefined {
  if (error instanceof OpsError) return error.message;
  if (!(error instanceof Error)) return undefined;
  const { message } = error;
  // Of errors of the system only those about files have a path.
  if ('path' in error && 'syscall' in error) return `A file or folder cannot be used: ${message}.`;
  if (isTransient(error))
    return `The database or the inbox is busy or out of reach: ${message}. Try again when it answers.`;
  if (denied.test(error.name))
    return `AWS refused a call: ${message}. It is made with the shell's AWS credentials and AWS_REGION.`;
  return undefined;
}
