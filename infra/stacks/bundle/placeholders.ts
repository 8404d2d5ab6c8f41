import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { functionFiles } from './functionFiles.ts';

/**
 * Creates a folder for each Lambda that stands in for its bundle, so that the template can be made before the bundles.
 * @returns the folder of each function, by its id; the folder is named after the id
 */
export function placeholders(into: string): Map<string, string> {
  const folders = new Map(
    [...functionFiles(join(import.meta.dirname, '..', '..', '..')).keys()].map((id) => [id, join(into, id)]),
  );
  for (const [id, folder] of folders) {
    mkdirSync(folder, { recursive: true });
    // CDK names an asset by its content.
    writeFileSync(join(folder, 'id'), id);
  }
  return folders;
}
