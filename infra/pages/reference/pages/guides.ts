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

/**
 * The guides, in their order. The first sentence of a guide is its description.
 * @param url the address of the API, with which their commands begin
 */
export function guidePages(url?: string): Page[] {
  const addressed = url === undefined ? guides : guides.replace(/^export URL=.*$/m, `export URL=${url}`);
  const [, ...parts] = addressed.split(/^## /m);
  return parts.map((part) => {
    const [title = '', ...lines] = part.split('\n');
    const text = lines.join('\n').trim();
    return {
      name: `${slugOf(title)}.html`,
      title,
      description: `${plain(text.split(/(?<=[.:])\s/)[0] as string).slice(0, -1)}.`,
      html: `<h1>${title}</h1>\n${contentsOf(text)}${htmlOf(text.replace(/^### /gm, '## '))}`,
      markdown: `# ${title}\n\n${text.replace(/^### /gm, '## ')}\n`,
    };
  });
}
