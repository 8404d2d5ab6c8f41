import type { Collection, Layout, Stored } from '../resources/collection.ts';
import { isObject } from '../values/json.ts';

/**
 * The paths that a statement names: its fields, the parts of an address or another object, and custom fields. A field that is `null` is
 * named as a whole. An amount that is left out is 0, and a yes or no is no: the sum of an order counts them so.
 */
export function namedPaths({ layout, blank }: Collection<Stored>, sent: object): Set<string> {
  const layouts = layout as Record<string, Layout>;
  const named = Object.entries(sent).flatMap(([name, value]) => {
    const hasParts = layouts[name] === 'by name' || isObject(layouts[name]);
    if (!hasParts || !isObject(value)) return [name];
    return Object.keys(value).map((part) => `${name}.${part}`);
  });
  const counted = Object.entries(blank).filter(([, value]) => /^(number|boolean)$/.test(typeof value));
  return new Set([...named, ...counted.map(([name]) => name)]);
}
