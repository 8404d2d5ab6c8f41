import { StartError } from '../process/startError.ts';
import type { JsonObject } from './intrinsics.ts';

/**
 * Refuses unknown properties: the local stack would ignore them, and AWS would apply them.
 * @param what names the owner of the properties in the error message
 * @throws StartError when there is a property that is not in `known`
 */
export function assertKnownProperties(what: string, properties: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(properties).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new StartError(
      `${what} has properties that the local stack does not know: ${unknown.join(', ')}. Remove them, or add them to infra/local.`,
    );
}
