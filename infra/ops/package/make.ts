// Adds the declarations of a repository to the copy of the package that contains this file, and removes what the repository leaves out, as in a
// fork. `postern.mjs` has created the copy, with the repository's folders.
import { cpSync, existsSync, globSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import type { AddedFields, DeclaredField, DeclaredResource } from '../../../lib/resources/declare.ts';
import { documents } from '../../../lib/resources/documents.ts';
import type { Facts } from '../../../lib/resources/facts.ts';
import { problemsOf } from '../../../lib/schemas/problemMessages.ts';
import { OpsError, runCommand } from '../../terminal/opsError.ts';
import { addField, addResource, removeResource, resources, root } from '../new/resourceFiles.ts';
import { kebabOf, namesOf } from '../new/resourceNames.ts';
import { addedFields, declaredResource, kebab, problemsIn } from './checkDeclaration.ts';

const importOf = async (file: string) => {
  try {
    return await import(pathToFileURL(join(root, file)).href);
  } catch (error) {
    throw new OpsError(`${file} cannot be read: ${(error as Error).message}`);
  }
};

/** @throws OpsError that lists the problems of a file of the adopter */
function assertRight(file: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new OpsError([`${file} cannot be used:`, ...problems].join('\n  '));
}

/** Returns the ids of a resource's own operations. @throws OpsError if a part of one is missing */
async function ownOperations(path: string, one: string): Promise<string[]> {
  const file = `resources/${path}.operations.ts`;
  if (!existsSync(join(root, file))) return [];
  const { operations = [], notes = {}, permissions = {}, requests = {} } = await importOf(file);
  const ids = (operations as { id: string }[]).map(({ id }) => id);
  const parameter = `{${namesOf(one, path, '').one}Id}`;
  assertRight(file, [
    ...(ids.length === 0 ? ['operations must be a list with an operation'] : []),
    ...(operations as { id: string; path: string }[])
      .filter((each) => (each.path.match(/\{\w+\}/g) ?? []).some((name) => name !== parameter))
      .map(({ id }) => `${id}: a path names the record by ${parameter}`),
    ...Object.entries({ notes, permissions, requests }).flatMap(([what, all]) => [
      ...ids.filter((id) => !(id in all)).map((id) => `${what} lacks ${id}`),
      ...Object.keys(all)
        .filter((id) => !ids.includes(id))
        .map((id) => `${what} has ${id}, which is no operation`),
    ]),
    ...ids
      .filter((id) => !existsSync(join(root, 'functions', path, `${id}.ts`)))
      .map((id) => `${id} has no handler: write functions/${path}/${id}.ts`),
  ]);
  return ids;
}

/**
 * Returns a resource that has code. Its three files belong to the repository and are like those in lib/resources; its facts name its other
 * parts. @returns undefined if the resource has a declaration instead
 */
async function givenResource(path: string): Promise<DeclaredResource | undefined> {
  const file = join(root, 'resources', `${path}.facts.ts`);
  if (!existsSync(file)) return undefined;
  const [[exported, { prefix, scopes }]] = Object.entries(await import(pathToFileURL(file).href)) as [
    [string, Facts<string>],
  ];
  return {
    one: kebabOf(exported.replace(/Facts$/, '')),
    prefix,
    fields: {},
    deletable: scopes.length > 2,
    ...(scopes.length > 1 ? { writable: [] } : {}),
  };
}

/** Copies the three files of a resource to where ours are. */
function placeGiven(path: string): void {
  const { many } = namesOf('', path, '');
  const place = (part: string) => join(root, 'lib', 'resources', `${many}${part}.ts`);
  cpSync(join(root, 'resources', `${path}.facts.ts`), place('.facts'));
  for (const part of ['', '.reference'])
    writeFileSync(place(part), `export * from ${JSON.stringify(`../../resources/${path}${part}.ts`)};\n`);
}

/** Returns code that exports what the files of own operations export, joined under one name. */
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
  const known = resources();
  const ours = known.map(({ path }) => path);
  const wanted = new Set(postern.resources);
  const names = globSync('resources/*.ts', { cwd: root }).map((file) => basename(file, '.ts'));
  const declared = new Set(names.filter((name) => !name.includes('.')));
  for (const path of wanted)
    if (!ours.includes(path) && !declared.has(path))
      throw new OpsError(
        `package.json names the resource ${path}, and there is no file resources/${path}.ts. Those of the package are ${ours.join(', ')}.`,
      );
  for (const name of names)
    if (!wanted.has(name.replace(/\..*/, '')))
      throw new OpsError(`resources/${name}.ts is of no resource that "postern" in package.json names.`);
  const given = new Map<string, DeclaredResource>();
  const declarations = new Map<string, unknown>();
  for (const path of declared) {
    const three = await givenResource(path);
    if (three) given.set(path, three);
    else declarations.set(path, (await importOf(`resources/${path}.ts`)).default);
  }
  const prefixes = [
    ...known.filter(({ path }) => wanted.has(path)).map(({ prefix }) => prefix),
    ...[...given.values()].map(({ prefix }) => prefix),
    ...[...declarations.values()].flatMap(
      (one) => (one as Partial<DeclaredResource> | undefined)?.prefix ?? [],
    ),
  ];
  for (const [path, declaration] of declarations) {
    const document = Object.values(documents).find(({ list }) => list.path === `/${path}`);
    const world = { prefixes, ...(document ? { already: document.collection.fields } : {}) };
    assertRight(
      `resources/${path}.ts`,
      problemsIn(declaration, document ? addedFields : declaredResource, world),
    );
  }
  for (const path of ours) if (!wanted.has(path)) removeResource(path);
  const withOperations: string[] = [];
  for (const path of wanted) {
    const declaration = given.get(path) ?? declarations.get(path);
    if (!declaration) continue;
    if (ours.includes(path)) {
      const { fields, writable } = declaration as AddedFields;
      for (const [one, of] of Object.entries(fields) as [string, DeclaredField][])
        addField(path, one, of, { writable: writable?.includes(one) === true });
      continue;
    }
    const resource = declaration as DeclaredResource;
    const own = await ownOperations(path, resource.one);
    if (own.length > 0) withOperations.push(path);
    addResource(path, resource, { own, given: given.has(path) });
    if (given.has(path)) placeGiven(path);
  }
  const write = (file: string, content: string) => writeFileSync(join(root, file), content);
  if (postern.title)
    write('infra/pages/reference/prose/title.ts', `export const title = ${JSON.stringify(postern.title)};\n`);
  if (withOperations.length === 0) return;
  write('infra/stacks/ownPermissions.ts', together(withOperations, 'permissions', '../..'));
  write('test/support/http/ownRequests.ts', together(withOperations, 'requests', '../../..'));
}

await runCommand(make);
