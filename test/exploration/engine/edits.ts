import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A change of the source of lib: a text that is in its file exactly once, and another one in its place. */
export interface Edit {
  /** Below the root of the repository. */
  file: string;
  from: string;
  to: string;
}

const root = new URL('../../../', import.meta.url);

/** The changed sources, by the URLs of their files. @throws Error when a text is not in its file, or more than once */
export function editedSources(edits: readonly Edit[]): Map<string, string> {
  const sources = new Map<string, string>();
  for (const { file, from, to } of edits) {
    const { href } = new URL(file, root);
    const source = sources.get(href) ?? readFileSync(fileURLToPath(href), 'utf8');
    const parts = source.split(from);
    if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${from}`);
    sources.set(href, parts.join(to));
  }
  return sources;
}

/** Changes modules of lib when they are loaded. */
export function editModules(edits: readonly Edit[]): void {
  const sources = editedSources(edits);
  registerHooks({
    load: (url, context, next) => {
      const source = sources.get(url);
      return source === undefined ? next(url, context) : { ...next(url, context), source };
    },
  });
}
