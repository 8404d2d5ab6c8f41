import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { LineFile, linesIn } from '../../../infra/ops/accounts/lineFile.ts';
import { removeFolder, temporaryFolder } from '../../support/stack/stackProcess.ts';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

test.each([
  ['nothing', '', 5, ''],
  ['a half line', '{"n"', 5, ''],
  ['lines and a half', '1\n2\n{"n', 5, '1\n2\n'],
  ['more lines than stay', '1\n2\n3\n', 2, '1\n2\n'],
  ['a line longer than a read', `${'x'.repeat(100_000)}\n2`, 5, `${'x'.repeat(100_000)}\n`],
])(
  '%s of an ended run: its whole lines stay, and the file has its name when it is whole',
  (name, part, most, kept) => {
    const path = join(folder, name);
    writeFileSync(`${path}.part`, part);
    const file = new LineFile(path, most);
    expect(file.lines).toBe(kept.split('\n').length - 1);
    file.add([{ a: 'ü' }, { b: 2 }]);
    expect(existsSync(path)).toBe(false);
    file.finish();
    expect(readFileSync(path, 'utf8')).toBe(`${kept}{"a":"ü"}\n{"b":2}\n`);
    expect(existsSync(`${path}.part`)).toBe(false);
    expect(linesIn(path)).toBe(file.lines);
  },
);
