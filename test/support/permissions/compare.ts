import type { Access } from './access.ts';

/**
 * The actions that services do for a function, without a request of our code: logs, traces, and DynamoDB's use of a
 * table's key.
 */
const byServices = /^(logs|xray|kms):/;

interface Compared {
  /** The actions that functions have requested. */
  done: readonly Access[];
  granted: readonly Access[];
  /** The actions of event source mappings, which Lambda does with the role of a function. */
  byMappings: readonly Access[];
  /** Whether `done` comes from a run of all tests. */
  whole: boolean;
}

/** The differences between the actions of functions and their permissions, one sentence each, which says what to do. */
export function differences({ done, granted, byMappings, whole }: Compared): string[] {
  const forbidden = without(done, granted).map(
    ({ functionId, action, resource }) =>
      `${functionId} does ${action} on ${resource}, and its role does not allow it: AWS would refuse the call. ` +
      `Grant it in infra/stacks/permissions.ts under "${functionId}", or take the call out of the code.`,
  );
  const unused = without(granted, [...done, ...byMappings])
    .filter(({ action }) => !byServices.test(action))
    .map(
      ({ functionId, action, resource }) =>
        `${functionId} may do ${action} on ${resource}, but does not do it in any test. ` +
        `Remove it from "${functionId}" in infra/stacks/permissions.ts, or write a test that runs this code.`,
    );
  return [...forbidden, ...(whole ? unused : [])].sort();
}

function without(accesses: readonly Access[], others: readonly Access[]): Access[] {
  const textOf = ({ functionId, action, resource }: Access) => `${functionId} ${action} ${resource}`;
  const known = new Set(others.map(textOf));
  return accesses.filter((access) => !known.has(textOf(access)));
}
