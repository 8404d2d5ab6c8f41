import { isTransient } from '../../lib/dynamodb/conflicts.ts';

/** Why a command failed, as a sentence for the person who ran it. */
export class OpsError extends Error {
  override name = 'OpsError';
}

/**
 * Runs a command. It ends in one sentence for an error that the person can correct, in a stack trace for a bug, and in both cases with exit
 * code 1.
 */
export async function runCommand(command: () => Promise<unknown>): Promise<void> {
  try {
    await command();
  } catch (error) {
    console.error(sentenceOf(error) ?? error);
    process.exitCode = 1;
  }
}

/** Errors of AWS services whose cause is the credentials, the region or the stack. */
const denied =
  /AccessDenied|NotAuthorized|UnauthorizedOperation|ExpiredToken|UnrecognizedClient|InvalidClientTokenId|InvalidSignature|SignatureDoesNotMatch|IncompleteSignature|CredentialsProviderError|TokenProviderError|OptInRequired|ResourceNotFound|NonExistentQueue|NoSuchBucket/;

function sentenceOf(error: unknown): string | undefined {
  if (error instanceof OpsError) return error.message;
  if (!(error instanceof Error)) return undefined;
  const { message } = error;
  // Only system errors about files have a path.
  if ('path' in error && 'syscall' in error) return `A file or folder cannot be used: ${message}.`;
  if (isTransient(error))
    return `The database or the inbox is busy or out of reach: ${message}. Try again when it answers.`;
  if (denied.test(error.name))
    return `AWS refused a call: ${message}. It is made with the shell's AWS credentials and AWS_REGION.`;
  return undefined;
}
