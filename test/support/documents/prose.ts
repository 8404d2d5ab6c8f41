/** The code blocks of a language in a Markdown text, in their order. */
export const blocksIn = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, code]) => code as string,
  );

const secondsIn = { s: 1, m: 60, h: 3600 };

/** The delays between attempts that a text names, in seconds. */
export function delaysIn(text: string): number[] {
  const [, waits] = /tried again\s+after ([^:]+): 13 attempts/.exec(text) ?? [];
  return [...(waits ?? '').matchAll(/(\d+) ([smh])/g)].map(
    ([, count, unit]) => Number(count) * secondsIn[unit as keyof typeof secondsIn],
  );
}

/** The anchor that GitHub makes for a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
