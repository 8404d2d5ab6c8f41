import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, scriptCommand } from '../support/stack/stackProcess.ts';
import { pictures } from './pictures/pictures.ts';

test('a bench that there is not is refused in a sentence that names those there are, and so does CONTRIBUTING.md', () => {
  const [node, ...script] = scriptCommand('bench');
  const { status, stdout, stderr } = spawnSync(node, [...script, 'nope'], { cwd: root, encoding: 'utf8' });
  expect([status, stdout]).toEqual([1, '']);
  const [, names = ''] = /^error: .*'nope' is invalid .*\. Allowed choices are (.*)\.\n$/.exec(stderr) ?? [];
  for (const { name, bench } of pictures) if (bench) expect(names.split(', '), name).toContain(bench);
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').replaceAll('\n', ' ');
  expect(page).toContain(names.replace(/[\w-]+/g, '`$&`').replace(/, (?=[^,]*$)/, ' and '));
});
