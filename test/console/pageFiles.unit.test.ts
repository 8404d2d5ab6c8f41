import { brotliCompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ConsolePageFile, consolePageFiles } from '../../infra/console/pageFiles.ts';

let files: ConsolePageFile[];
beforeAll(async () => {
  files = await consolePageFiles();
});

const contentOf = (name: string): string => files.find((one) => one.name === name)?.content as string;

describe('the page of the console', () => {
  test('loads 15 KB of script at most before it is shown, compressed', () => {
    const names = [...contentOf('index.html').matchAll(/"\/console\/([^"]+\.js)"/g)].map(
      ([, name]) => name as string,
    );
    expect(names.length).toBeGreaterThan(0);
    // Compressed alone, as a browser gets them.
    const bytes = names.map((name) => brotliCompressSync(contentOf(name)).length);
    expect(bytes.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(15_000);
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

  test('is the same when it is built again', async () => {
    expect(await consolePageFiles()).toEqual(files);
  });
});
