// Exports what an adopter's functions may import from `#postern` (docs/package.md). These names and their types stay compatible within a major
// version, and so do those of `#postern/declare` and `#postern/app`. Everything else may change in any release.

export { listMatching } from './filterIndex/listMatching.ts';
export { endpoint } from './http/endpoint.ts';
export { createRecord } from './records/commitQueue/create.ts';
export { getRecord } from './records/get.ts';
export { inAccount } from './records/recordKeys.ts';
export { updateRecord } from './records/update.ts';
export { object } from './schemas/structure.ts';
