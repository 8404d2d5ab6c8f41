import { type PageFile, pageFiles } from '../../reference/page.ts';
import { withIdsOf } from './exampleIds.ts';
import { type FolderListener, staticFiles } from './staticFiles.ts';

/**
 * Serves the reference at /docs.
 * @param baseUrl of the API
 * @param demoKey the API key with which the ids for the examples are read, if there is one
 */
export function referencePage(baseUrl: string, demoKey: () => string | undefined): FolderListener {
  // Loaded at the first request: the files have megabytes, and most starts never need them.
  let files: PageFile[] | undefined;
  return staticFiles('/docs/', async (name) => {
    files ??= pageFiles({ url: baseUrl, description: 'This local stack.' });
    const file = files.find((one) => one.name === name);
    if (!file) return undefined;
    const key = name === 'openapi.json' ? demoKey() : undefined;
    const content = key === undefined ? file.content : await withIdsOf(file.content, baseUrl, key);
    return { content, headers: { ...headers, 'Content-Type': file.type } };
  });
}

/** X-Frame-Options keeps other sites from showing the page in a frame. A `<meta>` element cannot do that. */
const headers = {
  'Cache-Control': 'no-cache',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};
