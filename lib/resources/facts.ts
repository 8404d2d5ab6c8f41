/** The metadata of a resource, which any Lambda may load. It contains only names, and nothing that needs schemas. */
export interface Facts<Type extends string> {
  /** The prefix of its ids. */
  prefix: string;
  /** Its name in paths and in the inbox. */
  path: string;
  /** The scope to read its records, the scope to create and change them, and the scope to delete them. */
  scopes: readonly [read: `${string}:read`, write?: `${string}:write`, remove?: `${string}:delete`];
  /** The ids of its operations, in the order of the reference. */
  operations: readonly string[];
  /** The types of its events, in the order of the reference. */
  eventTypes: readonly [`${Type}.created`, `${Type}.updated`, `${Type}.deleted`, ...`${Type}.${string}`[]];
}
