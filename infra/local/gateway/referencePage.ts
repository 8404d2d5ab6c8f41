import { type PageFile, pageFiles } from '../../reference/page.ts';
import { withIdsOf } from './exampleIds.ts';
import { type FolderListener, staticFiles } from './staticFiles.ts';

/**
 * Serves the reference at /docs. The address without a path leads there, as a person opens it.
 * @param baseUrl of the API
 * @param demoKey the API key with which the ids for the examples are read, if there is one
 */
export function referencePage(baseUrl: string, demoKey: () => string | undefined): FolderListener {
  // Loaded at the first request: the files have megabytes, and most starts never need them.
  let files: PageFile[] | undefined;
  const inFolder = staticFiles('/docs/', async (name) => {
    files ??= pageFiles({ url: baseUrl, description: 'This local stack.' });
    const file = files.find((one) => one.name === name);
    if (!file) return undefined;
    const key = name === 'openapi.json' ? demoKey() : undefined;
    const content = key === undefined ? file.content : await withIdsOf(file.content, baseUrl, key);
    return { content, headers: { ...headers, 'Content-Type': file.type } };
  });
  return (request, response) => {
    if (request.url !== '/' || request.method !== 'GET') return inFolder(request, response);
    response.writeHead(302, { Location: '/docs/' }).end();
    return Promise.resolve();
  };
}

/** X-Frame-Options keeps other sites from showing the page in a frame. A `<meta>` element cannot do that. */
const headers = {
  'Cache-Control': 'no-cache',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};
