// `postern init` and `postern new` write the files of a repository that depends on this project. They never overwrite existing files.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const templates = join(import.meta.dirname, 'repository');
const stages = join(import.meta.dirname, '..', '..', 'stacks', 'stages');

// Without a shell in between, the script notices the end of npm.
const scripts = {
  start: 'exec postern start',
  ops: 'exec postern ops',
  ...Object.fromEntries(
    ['keys', 'console', 'accounts', 'import', 'price', 'rehearse'].map((name) => [
      name,
      `exec postern ops ${name}`,
    ]),
  ),
  test: 'exec postern test',
  check: 'exec postern check',
  openapi: 'exec postern openapi',
};

function end(message) {
  console.error(message);
  process.exit(1);
}

/** Writes the missing files, and adds missing entries to package.json. */
export function init(folder) {
  mkdirSync(folder, { recursive: true });
  cpSync(templates, folder, { recursive: true, force: false });
  for (const stage of ['dev.json', 'prod.json'])
    cpSync(join(stages, stage), join(folder, 'stages', stage), { force: false });
  // npm leaves files with this name out of a package.
  const ignored = join(folder, 'gitignore');
  if (existsSync(join(folder, '.gitignore'))) rmSync(ignored);
  else renameSync(ignored, join(folder, '.gitignore'));
  const file = join(folder, 'package.json');
  const { dependencies, ...own } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const { version } = JSON.parse(
    readFileSync(join(import.meta.dirname, '..', '..', '..', 'package.json'), 'utf8'),
  );
  const whole = {
    private: true,
    ...own,
    type: 'module',
    scripts: { ...scripts, ...own.scripts },
    imports: {
      '#postern': './.postern/lib/postern.ts',
      '#postern/app': './.postern/infra/app.ts',
      '#postern/*': './.postern/lib/resources/*.ts',
    },
    postern: own.postern ?? { resources: ['contacts', 'orders', 'event-registrations'] },
    // The package's bundler already contains its program.
    allowScripts: { esbuild: true, ...own.allowScripts },
    dependencies: { ...dependencies, postern: dependencies?.postern ?? version },
  };
  writeFileSync(file, `${JSON.stringify(whole, null, 2)}\n`);
  console.log(
    `The repository is written: ${readdirSync(folder)
      .filter((name) => name !== 'node_modules')
      .join(', ')}.`,
  );
  console.log(
    '"npm start" serves it. "npx postern new tickets --one ticket --prefix tkt" declares a resource of your own.',
  );
}

/** Writes the declaration of a resource for its owner to change, and names it in package.json. */
export function declare([path, ...options]) {
  const given = (option) => options[options.indexOf(option) + 1];
  const [one, prefix] = [given('--one'), given('--prefix')];
  const isKebab = (name) => /^[a-z]+(-[a-z]+)*$/.test(name ?? '');
  if (!isKebab(path) || !isKebab(one) || !/^[a-z]{2,5}$/.test(prefix ?? '') || options.length !== 4)
    end(
      'postern new <path> --one <name> --prefix <prefix>, such as: postern new tickets --one ticket --prefix tkt',
    );
  const file = join('resources', `${path}.ts`);
  if (existsSync(file)) end(`${file} is there already: change it.`);
  const template = readFileSync(join(import.meta.dirname, 'declaration.txt'), 'utf8');
  const words = { path, one, prefix, thing: one.replaceAll('-', ' ') };
  mkdirSync('resources', { recursive: true });
  writeFileSync(
    file,
    template.replace(/\{(\w+)\}/g, (whole, name) => words[name] ?? whole),
  );
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  manifest.postern.resources.push(path);
  writeFileSync('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
  console.log(`${file} is written: give it your fields. "npm start" serves it, and "npm test" tests it.`);
}
