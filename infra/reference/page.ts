import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the reference, as a server gives it. */
export interface PageFile {
  name: string;
  type: string;
  content: string;
}

/** The OpenAPI document, as far as it differs from place to place. */
interface Document {
  info: { description: string };
  servers: object[];
}

const here = import.meta.dirname;
const read = (...path: string[]): string => readFileSync(join(here, ...path), 'utf8');

/** As it is committed. */
const openapi = (): Document => JSON.parse(read('..', '..', 'openapi.json'));

/** The OpenAPI document of an API whose address is known. Its guides begin with it. */
export function openapiAt(url: string, description: string): Document {
  const document = openapi();
  const guides = document.info.description.replace(/^export URL=.*$/m, `export URL=${url}`);
  return { ...document, info: { ...document.info, description: guides }, servers: [{ url, description }] };
}

/** What the page is made of, but for the document that it shows. */
export const pageFiles = (): PageFile[] => [
  { name: 'index.html', type: 'text/html; charset=utf-8', content: read('page.html') },
  { name: 'page.css', type: 'text/css; charset=utf-8', content: read('page.css') },
  { name: 'page.js', type: 'text/javascript; charset=utf-8', content: read('page.js') },
  // The renderer is one file that loads nothing else; as a package it would bring a thousand others.
  { name: 'scalar.js', type: 'text/javascript; charset=utf-8', content: read('vendor', 'scalar.js') },
  { name: 'icon.svg', type: 'image/svg+xml', content: read('icon.svg') },
];

export const openapiFile = (document: Document = openapi()): PageFile => ({
  name: 'openapi.json',
  type: 'application/json',
  content: JSON.stringify(document),
});
