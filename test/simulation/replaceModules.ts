import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';

const root = new URL('../../', import.meta.url);
const lib = new URL('lib/', root).href;

/**
 * Lets the modules of lib import other modules instead: of Node, or of lib, by its file below the root.
 * @throws Error when there is no such file, because then nothing would be replaced
 */
export function replaceModules(others: Readonly<Record<string, URL>>): void {
  const missing = Object.keys(others).filter(
    (name) => !name.startsWith('node:') && !existsSync(new URL(name, root)),
  );
  if (missing.length > 0) throw new Error(`There is no ${missing.join(', ')}`);
  const byUrl = new Map(
    Object.entries(others).map(([name, url]) => [
      name.startsWith('node:') ? name : new URL(name, root).href,
      url.href,
    ]),
  );
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const other = context.parentURL?.startsWith(lib) ? byUrl.get(resolved.url) : undefined;
      return other === undefined ? resolved : next(other, context);
    },
  });
}
