import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fileOfLastRelease } from '../../../infra/ops/documents/lastRelease.ts';
import { removeFolder, temporaryFolder } from '../../support/stack/stackProcess.ts';

test('the last release is the newest tag of a release, and there is none before the first', () => {
  const folder = temporaryFolder();
  onTestFinished(() => removeFolder(folder));
  const identity = ['-c', 'user.name=A Tester', '-c', 'user.email=tester@example.com'];
  const git = (...args: string[]) => execFileSync('git', [...identity, ...args], { cwd: folder });
  const commit = (text: string) => {
    writeFileSync(join(folder, 'a.json'), text);
    git('add', '.');
    git('commit', '--quiet', '--no-verify', '--no-gpg-sign', '--message', text);
  };
  const released = () => fileOfLastRelease('a.json', folder);

  expect(released()).toBeUndefined();
  git('init', '--quiet');
  commit('first');
  git('tag', 'another-tag');
  expect(released()).toBeUndefined();
  git('tag', 'release-1');
  commit('second');
  expect(released()).toBe('first');
  git('tag', 'release-2');
  commit('third');
  expect(released()).toBe('second');
  expect(() => fileOfLastRelease('b.json', folder)).toThrow('release-2 has no file b.json');
});
