import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { root } from '../../support/stack/stackProcess.ts';

const mark = '?separate';
const ours = `${pathToFileURL(root)}/`;

/**
 * Imports modules of the project a second time, in a graph of their own. In it, each piece of work that runs
 * `withSeparateMemory` remembers collections for itself, like a Lambda, which answers one request at a time and shares no memory.
 * @param file from the root of the project
 */
export function importSeparately<Module>(file: string): Promise<Module> {
  hook();
  return import(`${ours}${file}${mark}`) as Promise<Module>;
}

let isHooked = false;

function hook(): void {
  if (isHooked) return;
  isHooked = true;
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const { url } = resolved;
      const isPart =
        context.parentURL?.endsWith(mark) && url.startsWith(ours) && !url.includes('/node_modules/');
      if (!isPart || url.endsWith(mark)) return resolved;
      const own = url.endsWith('/lib/records/collectionMap.ts')
        ? `${ours}test/support/data/separateMemory.ts`
        : url;
      return { ...resolved, url: own + mark };
    },
  });
}
