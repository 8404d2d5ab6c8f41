import { existsSync, readFileSync } from 'node:fs';
import { type Access, functionIdOf } from './access.ts';

/** Everything that was noted in a file, each once. */
export function readNotes(file: string): Access[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').filter(Boolean) : [];
  const named = lines.map((line) => {
    const access = JSON.parse(line) as Access;
    return JSON.stringify({ ...access, functionId: functionIdOf(access.functionId) });
  });
  return [...new Set(named)].map((text) => JSON.parse(text) as Access);
}
