import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { permissions } from '../permissions.ts';

/**
 * Returns the file of every Lambda, by its id.
 * @throws Error if a function has no file or a file has no permissions, so that the synthesis fails and not a request
 */
export function functionFiles(root: string): Map<string, string> {
  const files = new Map(
    globSync('functions/**/*.ts', { cwd: root }).map((file) => [basename(file, '.ts'), file]),
  );
  const missing = Object.keys(permissions).filter((id) => !files.has(id));
  const unexpected = [...files].filter(([id]) => !(id in permissions)).map(([, file]) => file);
  if (missing.length > 0) throw new Error(`These functions have no file: ${missing.join(', ')}`);
  if (unexpected.length > 0)
    throw new Error(`These functions are not listed in permissions.ts: ${unexpected.join(', ')}`);
  return files;
}
