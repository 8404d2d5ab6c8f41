import { badRequest } from '../../errors/apiError.ts';
import { secretsMax, TooManySecretsError } from '../../keys/key.ts';
import { KeyEndedError } from '../../keys/rotate.ts';

/** Runs a rule of the keys. @throws ApiError 400 that says what is allowed, when the key does not allow it */
export async function asBadRequest<Result>(run: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    if (cause instanceof KeyEndedError) throw badRequest([cause.message], { cause });
    if (cause instanceof TooManySecretsError)
      throw badRequest(
        [
          `A key can have at most ${secretsMax} secrets that work; wait until one ends, or end them all with overlap_seconds 0`,
        ],
        { cause },
      );
    throw cause;
  }
}
