import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { consolePageFiles } from '../../../infra/pages/consoleFiles.ts';
import { brandSettings } from '../../../infra/stacks/stages/brandSettings.ts';

let files: Awaited<ReturnType<typeof consolePageFiles>>;
beforeAll(async () => {
  files = await consolePageFiles();
});

const contentOf = (name: string): string => files.find((one) => one.name === name)?.content as string;

describe('the page of the console', () => {
  // Compressed alone, as a browser gets them.
  const compressed = (some: typeof files): number =>
    some.reduce((sum, { content }) => sum + brotliCompressSync(content).length, 0);

  test('loads 22 KB at most before it is shown, compressed, and 52 KB in all', () => {
    const html = contentOf('index.html');
    const first = files.filter(({ name }) => name === 'index.html' || html.includes(`/console/${name}`));
    expect(first.map(({ name }) => name.replace(/^.*\./, '')).sort()).toEqual(
      expect.arrayContaining(['css', 'html', 'js']),
    );
    expect(compressed(first)).toBeLessThanOrEqual(22_000);
    expect(compressed(files)).toBeLessThanOrEqual(52_000);
  });

  test('names all that it loads first, so that nothing waits for another file', () => {
    const html = contentOf('index.html');
    const named = files.filter(({ name }) => html.includes(`/console/${name}`)).map(({ name }) => name);
    for (const name of named.filter((one) => one.endsWith('.js')))
      for (const [, imported] of contentOf(name).matchAll(/from"\.\/([^"]+)"/g))
        expect(named).toContain(imported);
    expect(named.filter((name) => name.endsWith('.css'))).toHaveLength(1);
  });

  test('has nothing inline, which its policy forbids', () => {
    const html = contentOf('index.html');
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/i);
    for (const [element] of html.matchAll(/<script[^>]*>[^<]*/g)) expect(element).toMatch(/ src="[^"]+">$/);
  });

  test('has files that a browser keeps for ever under names that change with them, and one that it asks for again', () => {
    const kept = files.filter(({ immutable }) => immutable).map(({ name }) => name);
    expect(files.filter(({ immutable }) => !immutable).map(({ name }) => name)).toEqual(['index.html']);
    for (const name of kept) expect(name).toMatch(/^\w+\.[A-Z0-9]{8}\.(js|css)$/);
  });

  test('holds no zod: the contract is there as types alone', () => {
    for (const { content } of files) expect(content).not.toMatch(/ZodError|safeParse/);
  });
});

describe('the brand of a stage', () => {
  const brand = {
    name: "Muster's Shop",
    logo: 'data:image/svg+xml;base64,PHN2Zy8+',
    accent: { light: '#0f6b3a', dark: '#7fe0a8' },
  };

  test('is in the page: its name, its logo, and its colour in a file of its own', async () => {
    const branded = await consolePageFiles(brand);
    const html = branded.find(({ name }) => name === 'index.html')?.content as string;
    expect(html).toContain(`<div id="app" data-name="Muster's Shop" data-logo="${brand.logo}">`);
    expect(html).toContain(`<link rel="icon" href="${brand.logo}">`);
    const [, name] = /stylesheet" href="\/console\/(accent\.[A-Z0-9]{8}\.css)"/.exec(html) ?? [];
    expect(html.indexOf(name as string)).toBeGreaterThan(html.indexOf('app.'));
    expect(branded.find((one) => one.name === name)).toMatchObject({
      content: ':root{--accent:light-dark(#0f6b3a,#7fe0a8)}',
      immutable: true,
    });
    expect(html).not.toMatch(/<style|\sstyle=/);
    // All other files are the same for every stage.
    const others = ({ name: one }: { name: string }) => one !== 'index.html' && one !== name;
    expect(branded.filter(others)).toEqual(files.filter(others));
  });

  const problemsOf = (given: object) =>
    brandSettings()
      .safeParse(given)
      .error?.issues.map(({ message }) => message) ?? [];

  test('is taken when its colour can be read on both grounds of the page', () => {
    expect(problemsOf(brand)).toEqual([]);
    expect(problemsOf({})).toEqual([]);
    const css = readFileSync(new URL('../../../infra/pages/shared.css', import.meta.url), 'utf8');
    expect(css).toContain('--ground: light-dark(#fff, #14161c);');
    expect(css).toContain('--on-accent: light-dark(#fff, #14161c);');
    const [, light = '', dark = ''] = /--accent: light-dark\((#\w+), (#\w+)\)/.exec(css) ?? [];
    expect(problemsOf({ accent: { light, dark } })).toEqual([]);
  });

  test.each([
    [
      { accent: { light: '#9aa8ff', dark: '#9aa8ff' } },
      /contrast of 4\.5 to #ffffff, on which it is, and #9aa8ff has 2\.\d/,
    ],
    [
      { accent: { light: '#3346d3', dark: '#3346d3' } },
      /contrast of 4\.5 to #14161c, on which it is, and #3346d3 has 2\.\d/,
    ],
    [{ accent: { light: 'blue', dark: '#9aa8ff' } }, /a colour like "#3346d3"/],
    [{ accent: { light: '#3346d3' } }, /a colour like "#9aa8ff"/],
    [{ name: '<b>' }, /a name of up to 40 characters/],
    [{ logo: 'https://example.com/logo.svg' }, /an image like "data:image/],
    [{ font: 'Arial' }, /is not known here \(allowed: name, logo, accent\)/],
  ])('%j is refused with what is allowed', (given, message) => {
    expect(problemsOf(given)).toEqual([expect.stringMatching(message)]);
  });
});
