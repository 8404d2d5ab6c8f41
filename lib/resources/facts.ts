/** The plain data of a resource, which any Lambda may load: names, and nothing that is made of schemas. */
export interface Facts<Type extends string> {
  /** The beginning of ids. */
  prefix: string;
  /** Its name in paths, and in the inbox. */
  path: string;
  /** The scope to read its records, the one to create and change them, and the one to delete them. */
  scopes: readonly [read: `${string}:read`, write?: `${string}:write`, remove?: `${string}:delete`];
  /** The ids of its operations, in the order of the reference. */
  operations: readonly string[];
  /** The types of its events, in the order of the reference. */
  eventTypes: readonly [`${Type}.created`, `${Type}.updated`, `${Type}.deleted`, ...`${Type}.${string}`[]];
}
