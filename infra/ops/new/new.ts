import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { OpsCommand } from '../../terminal/command.ts';
import { OpsError } from '../../terminal/opsError.ts';
import { examplesPath, fileOfLastRelease } from '../documents/lastRelease.ts';
import places from './places.json' with { type: 'json' };

// npm run new -- resource | field | remove

const root = join(import.meta.dirname, '..', '..', '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The files that this run has written, to be formatted. */
const written = new Set<string>();

function write(file: string, text: string): void {
  writeFileSync(join(root, file), text);
  written.add(file);
}

/**
 * Where a resource is: its files, each with its template, and its lines in lists. What is extra goes with a resource, and a new one lacks it:
 * demo records, and tests.
 */
const { files, writableFiles, deletableFiles, lines, extraFiles, extraLines } = places;

/** Reads an argument. @param form of the whole @param rule what it is made of */
const named = (form: RegExp, rule: string) => (text: string) => {
  if (!form.test(text)) throw new InvalidArgumentError(`It must be ${rule}.`);
  return text;
};

const kebab = named(/^[a-z]+(-[a-z]+)*$/, 'words of a-z with - between them');

export const program = new OpsCommand('npm run new --').description(
  'Add a resource or a field, or remove a resource: the files and lines of code, and the documents that are made of them',
);

program
  .command('resource')
  .description('add a resource that your app writes, and that clients list and read, or write too')
  .argument('<path>', 'its path, such as support-tickets', kebab)
  .requiredOption('--one <name>', 'the name of one, such as support-ticket', kebab)
  .requiredOption(
    '--prefix <prefix>',
    'what its ids begin with, such as tkt',
    named(/^[a-z]{2,5}$/, '2 to 5 letters of a-z'),
  )
  .option('--writable', 'clients create and change its records')
  .option('--deletable', 'clients create, change and delete its records')
  .action(addResource);

program
  .command('field')
  .description('add a field to a resource')
  .argument('<resource>', 'the path of the resource, such as contacts')
  .argument(
    '<field>',
    'its name, such as job_level',
    named(/^[a-z]+(_[a-z0-9]+)*$/, 'words of a-z with _ between them'),
  )
  .requiredOption('--note <sentence>', 'what the reference says of it')
  .option('--example <value>', 'its value in the example: JSON, or text', 'null')
  .option('--is <kind>', 'its kind, of those in lib/resources/field.ts', 'line')
  .option('--words <words>', 'the words of the kind word, separated by commas')
  .option('--to <prefix>', 'for the kind ref: the prefix of the ids')
  .option('--filter <filter>', 'lists find records by it: exact, any, all or range, as its kind allows')
  .option('--required', 'every record has it')
  .option('--writable', 'clients may write it, where they write the resource')
  .option('--before <field>', 'the field that it precedes', 'custom_fields')
  .action(addField);

program
  .command('remove')
  .description('remove a resource, with its demo records and tests')
  .argument('<path>', 'its path, such as event-registrations')
  .action(removeResource);

const camel = (text: string): string => text.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The names of a resource, in the forms that code and sentences need. @param one as in `support-ticket` */
function namesOf(one: string, path: string, prefix: string) {
  const article = /^[aeio]/.test(one) ? 'an' : 'a';
  return {
    path,
    prefix,
    one: camel(one),
    One: capital(camel(one)),
    type: one.replaceAll('-', '_'),
    thing: one.replaceAll('-', ' '),
    many: camel(path),
    Many: capital(camel(path)),
    list: path.replaceAll('-', '_'),
    things: path.replaceAll('-', ' '),
    article,
    Article: capital(article),
  };
}

type Names = ReturnType<typeof namesOf>;

/** The lines of a template, some of which are marked: of a resource that clients read, write, write and not delete, or delete. */
const chosen = (template: string, marks: string): string =>
  template
    .split('\n')
    .filter((line) => !/^[rwud]\|/.test(line) || marks.includes(line.charAt(0)))
    .map((line) => line.replace(/^[rwud]\|/, ''))
    .join('\n');

/** A text with `{one}` and the other names filled in. */
const filled = (text: string, names: Names): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => names[name as keyof Names] ?? whole);

const resources = (): Names[] =>
  globSync('lib/resources/*.facts.ts', { cwd: root }).map((file) => {
    const found = (form: RegExp) => form.exec(read(file))?.[1] as string;
    const one = found(/export const (\w+)Facts/).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return namesOf(one, found(/path: '([^']+)'/), found(/prefix: '([^']+)'/));
  });

function resourceAt(path: string): Names {
  const all = resources();
  const found = all.find((one) => one.path === path);
  if (found) return found;
  throw new OpsError(`There is no resource ${path}, only ${all.map((one) => one.path).join(', ')}.`);
}

type ResourceOptions = Record<'one' | 'prefix', string> & Partial<Record<'writable' | 'deletable', true>>;

function addResource(path: string, { one, prefix, writable, deletable }: ResourceOptions): void {
  const names = namesOf(one, path, prefix);
  if (names.one === names.many) throw new OpsError('The path names several: it is not the name of one.');
  for (const other of resources())
    for (const name of ['path', 'one', 'prefix'] as const)
      if (other[name] === names[name])
        throw new OpsError(`There is a resource with ${names[name]}: ${other.path}.`);
  edit(lines, (text, line) => withLine(text, line, names));
  const marks = deletable ? 'wd' : writable ? 'wu' : 'r';
  const all = {
    ...files,
    ...(writable || deletable ? writableFiles : {}),
    ...(deletable ? deletableFiles : {}),
  };
  for (const [place, template] of Object.entries(all)) {
    const file = filled(place, names);
    mkdirSync(join(root, dirname(file)), { recursive: true });
    write(file, filled(chosen(read(`infra/ops/new/templates/${template}`), marks), names));
  }
  generate();
}

function removeResource(path: string): void {
  const names = resourceAt(path);
  if (path === 'contacts') throw new OpsError('Contacts stay: deletion and merging are about them.');
  for (const file of [...Object.keys(files), ...extraFiles])
    rmSync(join(root, filled(file, names)), { recursive: true, force: true });
  edit({ ...lines, ...extraLines }, (text, line) => text.replace(`${filled(line, names)}\n`, ''));
  generate();
}

function edit(
  lists: Record<string, readonly string[]>,
  change: (text: string, line: string) => string,
): void {
  for (const [file, some] of Object.entries(lists)) write(file, some.reduce(change, read(file)));
}

/** A text with the line of a new resource after that of the last one. */
function withLine(text: string, line: string, names: Names): string {
  const ends = resources().map((other) => {
    const known = `\n${filled(line, other)}\n`;
    return text.includes(known) ? text.indexOf(known) + known.length : 0;
  });
  const end = Math.max(...ends);
  if (end === 0) throw new OpsError(`No resource has a line such as "${line.trim()}": add it yourself.`);
  return `${text.slice(0, end)}${filled(line, names)}\n${text.slice(end)}`;
}

type FieldOptions = Record<'is' | 'note' | 'example' | 'before', string> &
  Partial<Record<'words' | 'to' | 'filter', string>> &
  Partial<Record<'required' | 'writable', true>>;

function addField(path: string, name: string, options: FieldOptions): void {
  const { one, many } = resourceAt(path);
  const { is, note, example, words, to, filter, required, writable, before } = options;
  const value = JSON.stringify({ is, of: words?.split(','), to, required, filter });
  const hasExample = !['address', 'custom', 'group', 'list'].includes(is);
  const prose = JSON.stringify(hasExample ? [note, parsed(example)] : [note]);
  const file = `lib/resources/${many}.ts`;
  insert(file, 'fields: {', `    ${before}:`, `    ${name}: ${value},`);
  if (writable) {
    if (!read(file).includes('  writable: [')) throw new OpsError(`Clients do not write ${path}.`);
    write(file, read(file).replace('  writable: [', `  writable: ['${name}', `));
  }
  insert(`lib/resources/${many}.reference.ts`, `${one}Notes: Notes<`, `  ${before}:`, `  ${name}: ${prose},`);
  generate();
}

/** Inserts a line into an object of a file before another one. @param start the beginning of the object */
function insert(file: string, start: string, before: string, line: string): void {
  const text = read(file);
  const at = text.indexOf(`\n${before}`, text.indexOf(start)) + 1;
  if (at === 0) throw new OpsError(`${file} has no line "${before.trim()}" to put it before.`);
  write(file, `${text.slice(0, at)}${line}\n${text.slice(at)}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Writes what is made of the code. A deployed release keeps its examples. */
function generate(): void {
  const examples = fileOfLastRelease(examplesPath) === undefined ? ['examples'] : [];
  step('npx', ['biome', 'check', '--write', ...written]);
  for (const script of ['openapi', 'schema', ...examples, 'types']) step('npm', ['run', '--silent', script]);
  console.log('The code and its documents are written: "git status" lists them, and "npm test" proves them.');
}

/** Runs a command, and shows it, because some take half a minute. */
function step(command: string, words: readonly string[]): void {
  const shown = [command, ...words].join(' ');
  console.error(`${shown} …`);
  const { status } = spawnSync(command, words, { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new OpsError(`${shown} failed: mend what it says, and run it again.`);
}

if (import.meta.main) await program.main();
