import { join } from 'node:path';

/** Everything that is kept of the release which was deployed last, written by `npm run release`. */
export const releasedFolder = join(import.meta.dirname, '..', '..', '..', 'test', 'released');

/** What clients rely on: the document, without its prose and examples. */
export const releasedDocument = 'openapi.json';

/** One example of everything that a release leaves for the next one, and meets of it while both run. */
export const releasedExamples = 'examples.json';

/** What holds data: the resources that have to stay what they are, with what cannot be changed of them. */
export const releasedData = 'data.json';

/** Which type of event each kind of change is: what subscribers rely on. */
export const releasedEventTypes = 'eventTypes.json';
