import { cacheControlOf } from '../../pages/headers.ts';
import type { PageFile } from '../../pages/referenceFiles.ts';
import { idsFor } from './exampleIds.ts';
import { type FolderListener, staticFiles } from './staticFiles.ts';

/**
 * Serves the reference at /docs. The address without a path leads there, as a person opens it.
 * @param baseUrl of the API
 * @param demoKey the API key with which the ids for the examples are read, if there is one
 */
export function referencePage(baseUrl: string, demoKey: () => string | undefined): FolderListener {
  // Made at the first request: most starts never need them.
  let files: Promise<PageFile[]> | undefined;
  const make = async () =>
    (await import('../../pages/referenceFiles.ts')).pageFiles(
      { url: baseUrl, description: 'This local stack.' },
      { sends: true },
    );
  const inFolder = staticFiles('/docs/', async (name) => {
    files ??= make();
    const all = await files;
    // The page that sends requests asks for it: the records of the examples, as they are called here.
    if (name === 'ids.json') {
      const document = all.find((one) => one.name === 'openapi.json')?.content as string;
      const key = demoKey();
      const ids = key === undefined ? {} : await idsFor(document, baseUrl, key);
      return { content: JSON.stringify(ids), headers: { ...headers, 'Content-Type': 'application/json' } };
    }
    const file = all.find((one) => one.name === name);
    if (!file) return undefined;
    return {
      content: file.content,
      headers: { ...headers, 'Content-Type': file.type, 'Cache-Control': cacheControlOf(file) },
    };
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
