// What the functions of a repository may use that has this project as a dependency, as `#postern` (docs/package.md). These names and their
// types keep what they mean within a major version, as do those of `#postern/declare` and `#postern/app`. All else may change in any release.
export { endpoint } from './http/endpoint.ts';
export { listMatching } from './lists/list.ts';
export { createRecord } from './records/commitQueue/create.ts';
export { getRecord } from './records/get.ts';
export { inAccount } from './records/keys.ts';
export { updateRecord } from './records/update.ts';
export { object } from './values/structure.ts';
