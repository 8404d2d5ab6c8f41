import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { contractFacts } from './contractFacts.ts';
import { type PageFile, types } from './pageHeaders.ts';

/** Whose page it is: what a stage says of its product, and nothing else. */
export interface Brand {
  name?: string | undefined;
  /** The address of an image, `data:`. */
  logo?: string | undefined;
  accent?: { light: string; dark: string } | undefined;
}

const source = join(import.meta.dirname, 'console');

/** Makes the later views import the whole first view, so that esbuild does not split its script in two. */
const firstView: Plugin = {
  name: 'first view',
  setup: ({ onLoad }) =>
    onLoad({ filter: /console\/secondScript\.ts$/ }, ({ path }) => ({
      contents: `import './shell/App.tsx';\n${readFileSync(path, 'utf8')}`,
      loader: 'ts',
    })),
};

const options: BuildOptions = {
  absWorkingDir: source,
  entryPoints: [
    { in: 'main.tsx', out: 'app' },
    { in: 'style/page.css', out: 'app' },
  ],
  outdir: source,
  entryNames: '[name].[hash]',
  chunkNames: '[name].[hash]',
  splitting: true,
  metafile: true,
  bundle: true,
  minify: true,
  write: false,
  platform: 'browser',
  format: 'esm',
  // These have all that the CSS needs: light-dark(), nesting, popover, :has().
  target: ['chrome123', 'firefox125', 'safari17.5'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [contractFacts, firstView],
};

/**
 * Builds the page. Its files hold nothing of a stage but its brand: the page learns from its session where it is.
 * @throws Error of esbuild when the source does not build
 */
export async function consolePageFiles(brand: Brand = {}): Promise<PageFile[]> {
  const { outputFiles = [], metafile } = await build(options);
  const built = outputFiles.map(({ path, text }) => ({
    name: basename(path),
    type: types[extname(path)] as string,
    content: text,
    immutable: true,
  }));
  const colours = brand.accent ? [accentFile(brand.accent)] : [];
  return [
    pageNaming([...firstLoad(metafile as Metafile), ...colours.map(({ name }) => name)], brand),
    ...built,
    ...colours,
  ];
}

/** The names of the files that are loaded before anything is shown: the entries and what these import. */
function firstLoad({ outputs }: Metafile): string[] {
  const found = new Set(
    Object.keys(outputs).filter((name) => outputs[name]?.entryPoint && /^app\./.test(name)),
  );
  for (const name of found)
    for (const { path, kind } of outputs[name]?.imports ?? [])
      if (kind === 'import-statement') found.add(path);
  return [...found];
}

/** The accent colour of a stage, after the style that has another. Its policy forbids the page styles of its own. */
function accentFile({ light, dark }: NonNullable<Brand['accent']>): PageFile {
  const content = `:root{--accent:light-dark(${light},${dark})}`;
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8).toUpperCase();
  return { name: `accent.${hash}.css`, type: types['.css'] as string, content, immutable: true };
}

/** The icon of a page without a logo of its own. */
const icon = (): string =>
  `data:image/svg+xml;base64,${readFileSync(join(import.meta.dirname, 'reference', 'icon.svg')).toString('base64')}`;

/** A value in an attribute of HTML. */
const quoted = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** The page itself, which names the other files. Only it is asked for again. */
function pageNaming(names: readonly string[], { name: product, logo }: Brand): PageFile {
  const named = (shape: RegExp) => names.find((name) => shape.test(name)) as string;
  const accent = names.find((name) => name.startsWith('accent.'));
  const app = named(/^app.*\.js$/);
  // Together with the entry, and not after it.
  const preloads = names.filter((name) => name.endsWith('.js') && name !== app);
  const content = readFileSync(join(source, 'index.html'), 'utf8')
    .replace('app.js', app)
    .replace('app.css', named(/^app.*\.css$/))
    .replace(
      '<div id="app"',
      `<div id="app"${Object.entries({ name: product, logo })
        .flatMap(([attribute, value]) =>
          value === undefined ? [] : [` data-${attribute}="${quoted(value)}"`],
        )
        .join('')}`,
    )
    .replace('href="data:,"', `href="${logo ?? icon()}"`)
    .replace(
      '</head>',
      `${accent === undefined ? '' : `<link rel="stylesheet" href="/console/${accent}">\n`}${preloads
        .map((name) => `<link rel="modulepreload" href="/console/${name}">\n`)
        .join('')}</head>`,
    );
  return { name: 'index.html', type: 'text/html; charset=utf-8', content, immutable: false };
}
