import type { BaseOperation } from '../../../lib/resources/operation.ts';

/** The path of an operation with its parameters put in. */
export const pathOf = ({ path }: BaseOperation, params: Record<string, string> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? `no-${name}`));
