import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pageFile, pictureOn, picturesFolder, withPictures } from './benchmarksPage.ts';
import { type Theme, themes } from './colors.ts';
import { filesOf } from './files.ts';
import { pictures } from './pictures.ts';
import { svgOf } from './svg.ts';

const page = readFileSync(pageFile, 'utf8');
const remedy = 'The picture and its table differ: run "npm run pictures"';

describe.each(pictures)('the picture $name', (source) => {
  test('shows the figures of its table', async () => {
    for (const [file, svg] of await filesOf(source.name, pictureOn(page, source)))
      expect(readFileSync(join(picturesFolder, file), 'utf8') === svg, `${remedy} (${file})`).toBe(true);
  });

  test('is on the page once, in the section of its table', () => {
    const [, section = ''] = page.split(`\n## ${source.heading}\n`);
    const places = (text: string) => text.split(`src="pictures/${source.name}-light.svg"`).length - 1;
    expect([places(page), places(section.split('\n## ')[0] as string)]).toEqual([1, 1]);
  });

  test.each(Object.keys(themes) as Theme[])('has no text below 12 pixels (%s)', async (theme) => {
    const svg = await svgOf(pictureOn(page, source), theme);
    const sizes = [...svg.matchAll(/font-size="([\d.]+)px"/g)].map(([, size]) => Number(size));
    expect(sizes.length).toBeGreaterThan(5);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(12);
  });
});

test('the alternative texts on the page have the figures of its tables', () => {
  expect(withPictures(page), remedy).toBe(page);
});

test('the folder has no other figures', () => {
  const files = pictures.flatMap(({ name }) => Object.keys(themes).map((theme) => `${name}-${theme}.svg`));
  expect(
    readdirSync(picturesFolder)
      .filter((name) => name.endsWith('.svg'))
      .sort(),
  ).toEqual(files.sort());
});

test.each([
  ['offsets', '64,548'],
  ['filter-times', '138 / 201 / 365'],
  ['imports', '1,080'],
  ['create-rates', '| 964 |'],
  ['webhooks', '| 470 |'],
  ['cold-starts', '| 52.5 |'],
  ['cost', '15.00'],
])('the picture %s is another one when %s is another figure', async (name, figure) => {
  const source = pictures.find((one) => one.name === name) as (typeof pictures)[0];
  expect(page).toContain(figure);
  const changed = page.replaceAll(
    figure,
    figure.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)),
  );
  const drawn = await svgOf(pictureOn(changed, source), 'light');
  expect(drawn).not.toBe(await svgOf(pictureOn(page, source), 'light'));
});

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => {
    const share = Number.parseInt(color.slice(from, from + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test.each(Object.entries(themes))(
  'the colors of texts are readable (%s)',
  (_, { background, grid, ...colors }) => {
    for (const [name, color] of Object.entries(colors)) {
      const [lower = 0, higher = 0] = [luminance(color), luminance(background)].sort((a, b) => a - b);
      expect((higher + 0.05) / (lower + 0.05), name).toBeGreaterThanOrEqual(4.5);
    }
  },
);
