import type { Access } from './access.ts';

/** What services do for a function and no code of ours asks for: its logs, its traces, and DynamoDB's use of a table's key. */
const byServices = /^(logs|xray|kms):/;

interface Compared {
  /** What functions have asked for. */
  done: readonly Access[];
  granted: readonly Access[];
  /** What Lambda does in the name of functions. */
  byMappings: readonly Access[];
  /** Whether `done` is all that any test brings about. */
  whole: boolean;
}

/** Where what functions do and what they may do differ, in a sentence each that says what to do about it. */
export function differences({ done, granted, byMappings, whole }: Compared): string[] {
  const forbidden = without(done, granted).map(
    ({ functionId, action, resource }) =>
      `${functionId} does ${action} on ${resource}, and its role does not allow it: AWS would refuse the call. ` +
      `Grant it in infra/permissions.ts under "${functionId}", or take the call out of the code.`,
  );
  const unused = without(granted, [...done, ...byMappings])
    .filter(({ action }) => !byServices.test(action))
    .map(
      ({ functionId, action, resource }) =>
        `${functionId} may do ${action} on ${resource}, and in no test it does. ` +
        `Take it from "${functionId}" in infra/permissions.ts, or write the test that goes this way in the code.`,
    );
  return [...forbidden, ...(whole ? unused : [])].sort();
}

function without(accesses: readonly Access[], others: readonly Access[]): Access[] {
  const textOf = ({ functionId, action, resource }: Access) => `${functionId} ${action} ${resource}`;
  const known = new Set(others.map(textOf));
  return accesses.filter((access) => !known.has(textOf(access)));
}
