// The files and lines of a resource, in the folder of this code: this repository, or `.postern` of a repository that depends on it.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DeclaredField, DeclaredResource } from '../../../lib/resources/declare.ts';
import { OpsError } from '../../terminal/opsError.ts';
import { declaredTexts, noteOf, plainField } from './declared.ts';
import places from './places.json' with { type: 'json' };
import { kebabOf, type Names, namesOf } from './resourceNames.ts';

export const root = join(import.meta.dirname, '..', '..', '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The files that this process has written and must format. */
export const written = new Set<string>();

function write(file: string, content: string): void {
  mkdirSync(join(root, dirname(file)), { recursive: true });
  writeFileSync(join(root, file), content);
  written.add(file);
}

/**
 * The places of a resource: its files, each with its template, and its lines in lists. Extra files and lines, such as demo records and tests,
 * are removed with a resource, but a new resource has none.
 */
const { files, writableFiles, deletableFiles, lines, extraFiles, extraLines } = places;

/** Returns the lines of a template that apply. Some lines are marked for resources that clients read, write, write but not delete, or delete. */
const chosen = (template: string, marks: string): string =>
  template
    .split('\n')
    .filter((line) => !/^[rwud]\|/.test(line) || marks.includes(line.charAt(0)))
    .map((line) => line.replace(/^[rwud]\|/, ''))
    .join('\n');

/** Fills `{one}` and other words into a text. */
const filled = (template: string, words: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (whole, name: string) => words[name] ?? whole);

export const resources = (): Names[] =>
  globSync('lib/resources/*.facts.ts', { cwd: root }).map((file) => {
    const found = (form: RegExp) => form.exec(read(file))?.[1] as string;
    return namesOf(
      kebabOf(found(/export const (\w+)Facts/)),
      found(/path: '([^']+)'/),
      found(/prefix: '([^']+)'/),
    );
  });

function resourceAt(path: string): Names {
  const all = resources();
  const found = all.find((one) => one.path === path);
  if (found) return found;
  throw new OpsError(`There is no resource ${path}, only ${all.map((one) => one.path).join(', ')}.`);
}

/**
 * @param own the ids of its own operations, which are in `resources/<path>.operations.ts`
 * @param given whether somebody else has written its files in lib/resources
 */
export function addResource(
  path: string,
  declared: DeclaredResource,
  { own = [], given = false }: { own?: readonly string[]; given?: boolean } = {},
): void {
  const { one, prefix, writable, deletable } = declared;
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
  const words = { ...names, ...declaredTexts(declared, names, own) };
  const made = Object.entries(all).filter(([place]) => !given || !place.startsWith('lib/'));
  for (const [place, template] of made)
    write(filled(place, names), filled(chosen(read(`infra/ops/new/templates/${template}`), marks), words));
}

export function removeResource(path: string): void {
  const names = resourceAt(path);
  if (path === 'contacts')
    throw new OpsError('You cannot remove contacts, because deletion and merging depend on them.');
  for (const file of [...Object.keys(files), ...extraFiles])
    rmSync(join(root, filled(file, names)), { recursive: true, force: true });
  edit({ ...lines, ...extraLines }, (text, line) => text.replace(`${filled(line, names)}\n`, ''));
}

function edit(
  lists: Record<string, readonly string[]>,
  change: (text: string, line: string) => string,
): void {
  for (const [file, some] of Object.entries(lists)) write(file, some.reduce(change, read(file)));
}

/** Adds the line of a new resource to a text, after the line of the last resource. */
function withLine(text: string, line: string, names: Names): string {
  const ends = resources().map((other) => {
    const known = `\n${filled(line, other)}\n`;
    return text.includes(known) ? text.indexOf(known) + known.length : 0;
  });
  const end = Math.max(...ends);
  if (end === 0) throw new OpsError(`No resource has a line such as "${line.trim()}": add it yourself.`);
  return `${text.slice(0, end)}${filled(line, names)}\n${text.slice(end)}`;
}

/** @param before the field that it precedes */
export function addField(
  path: string,
  name: string,
  field: DeclaredField,
  { writable = false, before = 'custom_fields' } = {},
): void {
  const { one, many } = resourceAt(path);
  const file = `lib/resources/${many}.ts`;
  insert(file, 'fields: {', `    ${before}:`, `    ${name}: ${JSON.stringify(plainField(field))},`);
  if (writable) {
    if (!read(file).includes('  writable: [')) throw new OpsError(`Clients do not write ${path}.`);
    write(file, read(file).replace('  writable: [', `  writable: ['${name}', `));
  }
  const note = `  ${name}: ${JSON.stringify(noteOf(field))},`;
  insert(`lib/resources/${many}.reference.ts`, `${one}Notes: Notes<`, `  ${before}:`, note);
}

/** Inserts a line into an object of a file before another one. @param start the beginning of the object */
function insert(file: string, start: string, before: string, line: string): void {
  const text = read(file);
  const at = text.indexOf(`\n${before}`, text.indexOf(start)) + 1;
  if (at === 0) throw new OpsError(`${file} has no line "${before.trim()}" to put it before.`);
  write(file, `${text.slice(0, at)}${line}\n${text.slice(at)}`);
}
