import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pageFiles } from '../../../../infra/pages/referenceFiles.ts';
import { root, scriptCommand } from '../../../support/stack/stackProcess.ts';

const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');

test('npm run reference builds the pages and the document, whole, and nothing of the build before stays', () => {
  const [node, ...script] = scriptCommand('reference');
  const folder = join(root, 'build', 'reference');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'app.of-before.js'), '');
  expect(spawnSync(node, script, { cwd: root }).status).toBe(0);
  const names = pageFiles().map(({ name }) => name);
  expect(readdirSync(folder).toSorted()).toEqual(names.toSorted());
  expect(JSON.parse(read('build', 'reference', 'openapi.json'))).toEqual(
    JSON.parse(read('docs/contract/openapi.json')),
  );
});

test('with an address, the document names it, and nothing but an address is taken for one', () => {
  const [node, ...script] = scriptCommand('reference');
  const build = (address: string) => spawnSync(node, [...script, address], { cwd: root, encoding: 'utf8' });
  expect(build('https://api.example.com/v1').status).toBe(0);
  const { servers } = JSON.parse(read('build', 'reference', 'openapi.json'));
  expect(servers).toEqual([{ url: 'https://api.example.com/v1', description: 'This API.' }]);
  const refused = build('api.example.com');
  expect([refused.status, refused.stderr]).toEqual([
    1,
    expect.stringContaining("'api.example.com' is invalid"),
  ]);
});
