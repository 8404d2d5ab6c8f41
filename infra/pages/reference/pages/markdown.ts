import { codeBlock, codeTabs, escaped, slugOf } from './html.ts';
import { languageNames } from './programs.ts';

// Supports only the Markdown that the guides and the descriptions in the contract use.

/** Converts text with `code`, **strong** and [links](address) to HTML. */
export const inline = (text: string): string =>
  text
    .split(/(`[^`]+`)/)
    .map((part) =>
      part.startsWith('`') && part.length > 2
        ? `<code>${escaped(part.slice(1, -1))}</code>`
        : escaped(part).replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>'),
    )
    .join('')
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>');

/** Returns text without markup, for the search. */
export const plain = (text: string): string =>
  text
    .replace(/```\w*|[|]|^#+ /gm, ' ')
    .replace(/[`*]/g, '')
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');

const cells = (row: string): string[] =>
  row
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

const rowOf = (row: string, cell: 'td' | 'th'): string =>
  `<tr>${cells(row)
    .map((text) => `<${cell}>${inline(text)}</${cell}>`)
    .join('')}</tr>`;

function tableOf([head = '', , ...rows]: string[]): string {
  const body = rows.map((row) => rowOf(row, 'td')).join('');
  return `<div class="table" tabindex="0"><table><thead>${rowOf(head, 'th')}</thead><tbody>${body}</tbody></table></div>`;
}

const listOf = (tag: 'ol' | 'ul', lines: string[]): string =>
  `<${tag}>${lines.map((line) => `<li>${inline(line.replace(/^(-|\d+\.) /, ''))}</li>`).join('')}</${tag}>`;

function codeOf(block: string): { fence: string; text: string } | undefined {
  const [, fence = '', text] = /^```(\w*)\n([\s\S]*)\n```$/.exec(block) ?? [];
  return text === undefined ? undefined : { fence, text };
}

function blockOf(block: string): string {
  const code = codeOf(block);
  if (code) return codeBlock(code.text);
  // A list item continues on lines that begin with blanks.
  const lines = block.replace(/\n +/g, ' ').split('\n');
  const [, marks, title] = /^(#+) (.+)$/.exec(block) ?? [];
  if (marks && title) return `<h${marks.length} id="${slugOf(title)}">${inline(title)}</h${marks.length}>`;
  if (lines.every((line) => line.startsWith('|'))) return tableOf(lines);
  if (lines.every((line) => line.startsWith('- '))) return listOf('ul', lines);
  if (lines.every((line) => /^\d+\. /.test(line))) return listOf('ol', lines);
  return `<p>${inline(lines.join(' '))}</p>`;
}

/** Groups consecutive programs in different languages. */
function grouped(blocks: readonly string[]): string[][] {
  const groups: string[][] = [];
  const fencesOf = (group: readonly string[]) => group.map((block) => codeOf(block)?.fence ?? '');
  for (const block of blocks) {
    const last = groups.at(-1) ?? [];
    const fences = fencesOf([...last, block]);
    const isSame = fences.every((one) => languageNames[one]) && new Set(fences).size === fences.length;
    if (isSame && last.length > 0) last.push(block);
    else groups.push([block]);
  }
  return groups;
}

function groupOf(blocks: readonly string[], n: number): string {
  if (blocks.length === 1) return blockOf(blocks[0] as string);
  const programs = blocks.flatMap((block) => {
    const { fence, text } = codeOf(block) ?? { fence: '', text: '' };
    return [{ name: languageNames[fence] ?? fence, code: text }];
  });
  return codeTabs(`code-${n}`, programs);
}

/** Converts Markdown to HTML. Empty lines outside of code separate blocks. */
export const htmlOf = (markdown: string): string =>
  grouped(
    (markdown.trim().match(/```[\s\S]*?\n```|(?:(?!```)[^\n]+(?:\n|$))+/g) ?? []).map((block) =>
      block.trim(),
    ),
  )
    .map(groupOf)
    .join('\n');
