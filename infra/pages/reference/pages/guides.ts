import { guides } from '../prose/guides.ts';
import { slugOf } from './html.ts';
import type { Page } from './layout.ts';
import { htmlOf, inline, plain } from './markdown.ts';

/** The links to the sections of a guide that has several. */
function contentsOf(markdown: string): string {
  const titles = [...markdown.matchAll(/^### (.+)$/gm)].map(([, title]) => title as string);
  const links = titles.map((title) => `<a href="#${slugOf(title)}">${inline(title)}</a>`);
  return titles.length < 2 ? '' : `<p>On this page: ${links.join(' · ')}</p>\n`;
}

/** Where a reader of the reference is: the addresses of the API and of the console, as far as they are known. */
export interface Addresses {
  api?: string | undefined;
  console?: string | undefined;
}

/** The guides, in their order. The first sentence of a guide is its description. */
export function guidePages({ api, console }: Addresses = {}): Page[] {
  const [, ...parts] = guides
    .replace(/^export URL=.*$/m, (example) => (api === undefined ? example : `export URL=${api}`))
    .replace(/\[([^\]]+)\]\(console\)/g, (_, words) =>
      console === undefined ? words : `[${words}](${console}#/keys?dialog=key)`,
    )
    .split(/^## /m);
  return parts.map((part) => {
    const [title = '', ...lines] = part.split('\n');
    const text = lines.join('\n').trim();
    const markdown = `# ${title}\n\n${text.replace(/^### /gm, '## ')}\n`;
    return {
      name: `${slugOf(title)}.html`,
      title,
      description: `${plain(text.split(/(?<=[.:])\s/)[0] as string).slice(0, -1)}.`,
      html: `<h1>${title}</h1>\n${contentsOf(text)}${htmlOf(text.replace(/^### /gm, '## '))}`,
      markdown,
      brief: inOneLanguage(markdown),
    };
  });
}

/** Keeps only the first of programs that follow each other in other languages. */
const inOneLanguage = (markdown: string): string =>
  markdown.replace(
    /(```(?:sh|js)\n[\s\S]*?\n```)(?:\n\n```(?:python|js|go|php|ruby)\n[\s\S]*?\n```)+/g,
    '$1',
  );
