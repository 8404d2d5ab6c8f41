import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { Checkpoints } from '../../../../infra/local/stream/checkpoints.ts';
import { removeFolder, temporaryFolder } from '../../../support/stack/stackProcess.ts';

const folder = temporaryFolder();
const file = join(folder, 'checkpoints.json');
afterAll(() => removeFolder(folder));
beforeEach(() => rmSync(file, { force: true }));

/** What a stack has handled, as the next one finds it. */
function handledBy(stream: string, position: string): string | undefined {
  const checkpoints = new Checkpoints(folder);
  checkpoints.begin('Changes', 'Records', stream);
  checkpoints.reach('Changes', position);
  return new Checkpoints(folder).position('Changes');
}

test('positions are found again, also when what is written is shorter than what was there', () => {
  expect(handledBy('a stream with a long name', '100000000000000000001')).toBe('100000000000000000001');
  expect(handledBy('another', '7')).toBe('7');
  expect(handledBy('a stream with a name that is longer still', '21')).toBe('21');
});

test('a file that is gone meanwhile is written again, and only its owner may read it', () => {
  const checkpoints = new Checkpoints(folder);
  checkpoints.begin('Changes', 'Records', 'the stream');
  checkpoints.reach('Changes', '1');
  rmSync(file);
  checkpoints.reach('Changes', '2');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    Changes: { stream: 'the stream', position: '2' },
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
