import { join } from 'node:path';

/** The folder of the last deployed release, written by `npm run release`. */
export const releasedFolder = join(import.meta.dirname, '..', '..', '..', 'test', 'released');

/** The contract that clients rely on: the OpenAPI document, without its prose and examples. */
export const releasedDocument = 'openapi.json';

/** One example of each item, message and answer that two releases exchange, during a deployment and after it. */
export const releasedExamples = 'examples.json';

/** The resources that hold data, with the properties that cannot be changed. */
export const releasedData = 'data.json';

/** The event type of each kind of change, which subscribers rely on. */
export const releasedEventTypes = 'eventTypes.json';
