export { externalDeletions } from './deletions.ts';
