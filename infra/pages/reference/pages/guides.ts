import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { slugOf } from './html.ts';
import type { Page } from './layout.ts';
import { htmlOf, inline, plain } from './markdown.ts';
import { fenced, programsFor } from './programs.ts';

// The guides of the reference are documents: each section of docs/guide.md is a page, and so are docs/webhooks.md and docs/troubleshooting.md.

const read = (path: string): string =>
  readFileSync(join(import.meta.dirname, '..', '..', '..', '..', 'docs', path), 'utf8');

/** The addresses of the API and of the console, if the reader's reference knows them. */
export interface Addresses {
  api?: string | undefined;
  console?: string | undefined;
}

const fences: Record<string, string> = {
  '.mjs': 'js',
  '.ts': 'ts',
  '.py': 'python',
  '.go': 'go',
  '.php': 'php',
  '.rb': 'ruby',
};

/** Returns the content that a document links to: a program, or a section of the tables of the contract. */
function contentOf(target: string): string {
  const [file = '', section] = target.split('#');
  if (section === undefined) return fenced(fences[extname(file)] as string, read(file));
  const sections = read(file).split(/^## /m);
  return (sections.find((text) => slugOf(text.split('\n')[0] as string) === section) ?? '')
    .replace(/^.*\n/, '')
    .trim();
}

/** Returns the page of the reference that a link between documents leads to, if there is one. */
function addressOf(target: string, { console }: Addresses): string | undefined {
  if (/^https?:/.test(target)) return target;
  if (/^(guide\.md)?#/.test(target)) return `${target.split('#')[1]}.html`;
  if (/^(webhooks|troubleshooting)\.md/.test(target)) return target.replace('.md', '.html');
  if (target === 'console.md') return console && `${console}#/keys?dialog=key`;
  return {
    'contract/openapi.json': 'openapi.json',
    'contract/tables.md#events': 'events.html',
  }[target];
}

/**
 * Returns a document as the reference shows it. A request becomes programs in all languages. A paragraph that consists of links becomes the
 * linked content. Of a link that leads out of the reference, only the words stay.
 */
const shown = (document: string, addresses: Addresses): string =>
  document
    .replace(/^export URL=.*$/m, (example) => (addresses.api ? `export URL=${addresses.api}` : example))
    .replace(/^```(\w+) \w+$/gm, '```$1')
    .replace(/^```http\n(\w+) (\S+)\n(?:(.+)\n)?```$/gm, (_, method, path, body) =>
      programsFor({ method, path, ...(body ? { body: JSON.parse(body) } : {}) }),
    )
    .replace(/^\[[^\]]+\]\([^)]+\)(?: · \[[^\]]+\]\([^)]+\))*$/gm, (links) =>
      [...links.matchAll(/\(([^)]+)\)/g)].map(([, target]) => contentOf(target as string)).join('\n\n'),
    )
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, words, target) => {
      const address = addressOf(target, addresses);
      return address === undefined ? words : `[${words}](${address})`;
    });

/** Returns the guides, in their order. The first sentence of a guide is its description. */
export function guidePages(addresses: Addresses = {}): Page[] {
  const [, ...sections] = shown(read('guide.md'), addresses).split(/^## /m);
  const whole = ['webhooks.md', 'troubleshooting.md'].map((file) => shown(read(file), addresses).slice(2));
  return [...sections.map((section) => section.replace(/^### /gm, '## ')), ...whole].map(pageOf);
}

/** @param guide its title, and below it its text */
function pageOf(guide: string): Page {
  const title = guide.split('\n')[0] as string;
  const text = guide.slice(title.length).trim();
  const markdown = `# ${title}\n\n${text}\n`;
  return {
    name: `${slugOf(title)}.html`,
    title,
    description: `${plain(text.split(/(?<=[.:])\s/)[0] as string).slice(0, -1)}.`,
    html: `<h1>${title}</h1>\n${contentsOf(text)}${htmlOf(text)}`,
    markdown,
    brief: inOneLanguage(markdown),
  };
}

/** Returns links to the sections of a guide, if it has several. */
function contentsOf(text: string): string {
  const titles = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title as string);
  const links = titles.map((title) => `<a href="#${slugOf(title)}">${inline(title)}</a>`);
  return titles.length < 2 ? '' : `<p>On this page: ${links.join(' · ')}</p>\n`;
}

/** Keeps only the first of consecutive programs in different languages. */
const inOneLanguage = (markdown: string): string =>
  markdown.replace(
    /(```(?:sh|js)\n[\s\S]*?\n```)(?:\n\n```(?:python|js|go|php|ruby)\n[\s\S]*?\n```)+/g,
    '$1',
  );
