import { readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';

/** A file of the console's page, as a server gives it. */
export interface ConsolePageFile {
  /** Relative to `/console/`. */
  name: string;
  type: string;
  content: string;
  /** Whether its name changes with its content, so that a browser may keep it. */
  immutable: boolean;
}

const source = join(import.meta.dirname, 'page');

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
  // What the CSS needs, has been in every browser since: light-dark(), nesting, popover, :has().
  target: ['chrome123', 'firefox125', 'safari17.5'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'warning',
};

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/**
 * Builds the page. Its files hold nothing of a stage: the page learns from its session where it is.
 * @throws Error of esbuild when the source does not build
 */
export async function consolePageFiles(): Promise<ConsolePageFile[]> {
  const { outputFiles = [], metafile } = await build(options);
  const built = outputFiles.map(({ path, text }) => ({
    name: basename(path),
    type: types[extname(path)] as string,
    content: text,
    immutable: true,
  }));
  return [pageNaming(firstLoad(metafile as Metafile)), ...built];
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

/** The page itself, which names the other files. Only it is asked for again. */
function pageNaming(names: readonly string[]): ConsolePageFile {
  const named = (shape: RegExp) => names.find((name) => shape.test(name)) as string;
  const app = named(/^app.*\.js$/);
  // Together with the entry, and not after it.
  const preloads = names.filter((name) => name.endsWith('.js') && name !== app);
  const content = readFileSync(join(source, 'index.html'), 'utf8')
    .replace('app.js', app)
    .replace('app.css', named(/\.css$/))
    .replace(
      '</head>',
      `${preloads.map((name) => `<link rel="modulepreload" href="/console/${name}">\n`).join('')}</head>`,
    );
  return { name: 'index.html', type: 'text/html; charset=utf-8', content, immutable: false };
}
