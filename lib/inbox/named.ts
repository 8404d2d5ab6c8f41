import type { Collection, Content, Layout, Stored } from '../resources/collection.ts';
import { isObject } from '../values/json.ts';

/**
 * The paths that a statement names: its fields, the parts of an address or another object, and custom fields. A field that is `null` is
 * named as a whole. An amount that is left out is 0, and a yes or no is no: the sum of an order counts them so.
 */
export function namedPaths(
  { layout, blank }: Collection<Stored>,
  content: Content<Stored>,
  sent: object,
): Set<string> {
  const layouts = layout as Record<string, Layout>;
  const named = Object.entries(sent).flatMap(([name, value]) => {
    const hasParts = layouts[name] === 'by name' || isObject(layouts[name]);
    // PHP writes an object without fields as a list.
    if (!hasParts || !(isObject(value) || Array.isArray(value))) return [name];
    return Object.keys(value).flatMap((part) => [`${name}.${part}`, ...secondLine(name, part, content)]);
  });
  const counted = Object.entries(blank).filter(([, value]) => /^(number|boolean)$/.test(typeof value));
  return new Set([...named, ...counted.map(([name]) => name)]);
}

/** A street of several lines has its others in the second part of the address. */
const secondLine = (name: string, part: string, content: object): string[] => {
  const { line2 = null } = ((content as Record<string, unknown>)[name] ?? {}) as { line2?: string | null };
  return part === 'line1' && line2 !== null ? [`${name}.line2`] : [];
};
