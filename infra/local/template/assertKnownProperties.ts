import { StartError } from '../process/startError.ts';
import type { JsonObject } from './intrinsics.ts';

/**
 * What the local stack would pass over in silence, the deployed one would act on.
 * @param what names, for a person, what has the properties
 * @throws StartError when there are others than the known ones
 */
export function assertKnownProperties(what: string, properties: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(properties).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new StartError(
      `${what} has properties that the local stack does not know: ${unknown.join(', ')}. Leave them out, or teach it.`,
    );
}
