import { permissions } from '../../../infra/stacks/permissions.ts';

export type FunctionId = keyof typeof permissions;

/** An action on a resource that a function has asked for, or is allowed. */
export interface Access {
  /** The function's id in `permissions`. */
  functionId: string;
  /** As IAM names it: `dynamodb:GetItem`. */
  action: string;
  /** The logical id of a table or a queue; of an index `<table>/index/<name>`; `*` where an action knows no resource. */
  resource: string;
}

/**
 * The id in `permissions` of a function that the template names by its logical id, which begins with those of its parents. It is the
 * longest one that fits: one id may be the end of another.
 */
export const functionIdOf = (logicalId: string): string =>
  Object.keys(permissions)
    .filter((id) => new RegExp(`${id}Function[0-9A-F]{8}$`).test(logicalId))
    .sort((a, b) => b.length - a.length)[0] ?? logicalId;
