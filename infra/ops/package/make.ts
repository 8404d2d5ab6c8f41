// Adds what a repository declares to the copy of the package that this file is in, and takes out what it leaves out, as in a fork.
// `postern.mjs` has made the copy, with the repository's folders.
import { cpSync, existsSync, globSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import type { AddedFields, DeclaredField, DeclaredResource } from '../../../lib/resources/declare.ts';
import type { Facts } from '../../../lib/resources/facts.ts';
import type { Field } from '../../../lib/resources/field.ts';
import { problemsOf } from '../../../lib/values/problemMessages.ts';
import { OpsError, runCommand } from '../../terminal/opsError.ts';
import { namesOf } from '../new/names.ts';
import { addField, addResource, removeResource, resources, root } from '../new/resources.ts';

// A kind that is missing here does not compile.
const kinds = Object.keys({
  ...{ line: 0, lines: 0, email: 0, phone: 0, locale: 0, timezone: 0, currency: 0, url: 0, time: 0, ref: 0 },
  ...{ externalId: 0, id: 0, address: 0, amount: 0, signed: 0, quantity: 0, flag: 0, custom: 0, tags: 0 },
  ...{ answer: 0, word: 0, group: 0, list: 0 },
} satisfies Record<Field['is'], 0>);

const name = z
  .string()
  .regex(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/, 'must be words of a-z and 0-9 with _ between them');

// The types of a declaration say more than these schemas. A start does not check types, and must not end with an error in code that
// nobody has written.
const field: z.ZodType = z.lazy(() =>
  z.strictObject({
    is: z.enum(kinds, { error: `must be one of ${kinds.join(', ')}` }),
    required: z.literal(true).optional(),
    filter: z.enum(['exact', 'any', 'all', 'range']).optional(),
    as: name.optional(),
    common: z.literal(true).optional(),
    to: z.string().optional(),
    of: z.union([z.array(z.string()).min(1), fields]).optional(),
    default: z.string().optional(),
    max: z.int().min(1).optional(),
    unique: name.optional(),
    note: z.tuple([z.string().min(1)], z.unknown(), {
      error: 'must be a list: a sentence for the reference, and an example',
    }),
  }),
);
const fields = z.record(name, field);

const addedFields = z.strictObject({ fields, writable: z.array(name).optional() });

const kebab = z.string().regex(/^[a-z]+(-[a-z]+)*$/, 'must be words of a-z with - between them');

const declaredResource = z.strictObject({
  one: kebab,
  prefix: z.string().regex(/^[a-z]{2,5}$/, 'must be 2 to 5 letters of a-z'),
  fields,
  writable: z.array(name).min(1).optional(),
  identifiedBy: z.array(name).min(1).optional(),
  deletable: z.boolean().optional(),
  events: z
    .record(
      name,
      z.strictObject({
        field: name,
        becomes: z.union([z.literal('more'), z.array(z.unknown()).min(1)]),
        what: z.string(),
        before: z.record(name, z.unknown()),
        after: z.record(name, z.unknown()),
      }),
    )
    .optional(),
});

/** Reads a declaration. @throws OpsError with what is wrong in the adopter's own file, and what is allowed */
async function declarationIn<Declared>(file: string, schema: z.ZodType): Promise<Declared> {
  const { default: declared } = await import(pathToFileURL(join(root, file)).href);
  const { error } = schema.safeParse(declared);
  const problems = error ? problemsOf(error) : mistakesIn(declared);
  if (problems.length > 0) throw new OpsError([`${file} cannot be used:`, ...problems].join('\n  '));
  return declared as Declared;
}

/** What a schema of its parts does not see. */
function mistakesIn({
  one,
  fields,
  writable,
  identifiedBy = [],
  deletable,
  events = {},
}: DeclaredResource | (AddedFields & Partial<DeclaredResource>)): string[] {
  const unknown = (names: readonly string[], where: string) =>
    names.filter((each) => !(each in fields)).map((each) => `${where} has ${each}, which is no field`);
  const required = Object.keys(fields).filter((each) => fields[each]?.required);
  const closed = writable && one ? required.filter((each) => !writable.includes(each)) : [];
  return [
    ...['id', 'version', 'created_at', 'updated_at']
      .filter((each) => each in fields)
      .map((each) => `fields.${each} is a field that every record has: leave it out`),
    ...unknown(writable ?? [], 'writable'),
    ...unknown(identifiedBy, 'identifiedBy'),
    ...unknown(
      Object.values(events).map((event) => event.field),
      'events',
    ),
    ...(deletable && !writable ? ['deletable needs writable: clients delete what they write'] : []),
    ...closed.map(
      (each) => `fields.${each} is required, so clients must be able to write it: add it to writable`,
    ),
    ...(one ? [] : required).map(
      (each) => `fields.${each} cannot be required: the records that are stored already lack it`,
    ),
  ];
}

/** The ids of the operations in the file of a resource's own operations. */
async function ownOperations(path: string): Promise<string[]> {
  const file = join(root, 'resources', `${path}.operations.ts`);
  if (!existsSync(file)) return [];
  const { operations } = (await import(pathToFileURL(file).href)) as {
    operations: readonly { id: string }[];
  };
  return operations.map(({ id }) => id);
}

/**
 * A resource whose three files are the repository's, as those of lib/resources are ours, because it has code: its facts say what else there
 * is. @returns undefined when it has a declaration
 */
async function givenResource(path: string): Promise<DeclaredResource | undefined> {
  const file = join(root, 'resources', `${path}.facts.ts`);
  if (!existsSync(file)) return undefined;
  const [[exported, { prefix, scopes }]] = Object.entries(await import(pathToFileURL(file).href)) as [
    [string, Facts<string>],
  ];
  const one = exported.replace(/Facts$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return {
    one,
    prefix,
    fields: {},
    deletable: scopes.length > 2,
    ...(scopes.length > 1 ? { writable: [] } : {}),
  };
}

/** Puts the three files of a resource where ours are. */
function placeGiven(path: string): void {
  const { many } = namesOf('', path, '');
  const place = (part: string) => join(root, 'lib', 'resources', `${many}${part}.ts`);
  cpSync(join(root, 'resources', `${path}.facts.ts`), place('.facts'));
  for (const part of ['', '.reference'])
    writeFileSync(place(part), `export * from ${JSON.stringify(`../../resources/${path}${part}.ts`)};\n`);
}

/** Exports what the files of own operations export together, by a name. */
const together = (paths: readonly string[], what: string, from: string): string =>
  `${paths.map((path, i) => `import { ${what} as of${i} } from '${from}/resources/${path}.operations.ts';\n`).join('')}
export const own${what.charAt(0).toUpperCase()}${what.slice(1)} = { ${paths.map((_, i) => `...of${i}`).join(', ')} };\n`;

async function make(): Promise<void> {
  const { postern } = (
    await import(pathToFileURL(join(root, '..', 'package.json')).href, { with: { type: 'json' } })
  ).default as { postern: { resources: readonly string[]; title?: string } };
  const { error } = z
    .strictObject({ resources: z.array(kebab), title: z.string().min(1).max(60).optional() })
    .safeParse(postern);
  if (error)
    throw new OpsError(['"postern" in package.json cannot be used:', ...problemsOf(error)].join('\n  '));
  const ours = resources().map(({ path }) => path);
  const wanted = new Set(postern.resources);
  const files = globSync('resources/*.ts', { cwd: root }).filter((file) => !/\.\w+\.ts$/.test(file));
  const declared = new Set(files.map((file) => basename(file, '.ts')));
  for (const path of wanted)
    if (!ours.includes(path) && !declared.has(path))
      throw new OpsError(
        `package.json names the resource ${path}, and there is no file resources/${path}.ts. Those of the package are ${ours.join(', ')}.`,
      );
  for (const path of declared)
    if (!wanted.has(path))
      throw new OpsError(`resources/${path}.ts is of no resource that "postern" in package.json names.`);
  for (const path of ours) if (!wanted.has(path)) removeResource(path);
  const withOperations: string[] = [];
  for (const path of wanted) {
    const file = `resources/${path}.ts`;
    if (!ours.includes(path)) {
      const own = await ownOperations(path);
      if (own.length > 0) withOperations.push(path);
      const given = await givenResource(path);
      const declaration = given ?? (await declarationIn<DeclaredResource>(file, declaredResource));
      addResource(path, declaration, { own, given: given !== undefined });
      if (given) placeGiven(path);
    } else if (declared.has(path)) {
      const added = await declarationIn<AddedFields>(file, addedFields);
      for (const [one, of] of Object.entries(added.fields) as [string, DeclaredField][])
        addField(path, one, of, { writable: added.writable?.includes(one) === true });
    }
  }
  const write = (file: string, content: string) => writeFileSync(join(root, file), content);
  if (postern.title)
    write('infra/pages/reference/prose/title.ts', `export const title = ${JSON.stringify(postern.title)};\n`);
  if (withOperations.length === 0) return;
  write('infra/stacks/ownPermissions.ts', together(withOperations, 'permissions', '../..'));
  write('test/support/http/ownRequests.ts', together(withOperations, 'requests', '../../..'));
}

await runCommand(make);
