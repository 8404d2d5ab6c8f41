import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

/** The files that a release leaves for the next one, written by `npm run examples`. */
export const examplesPath = 'test/compatibility/examples.json';

/**
 * A file as it is in the last deployed release, which is the newest tag `release-…` before this state of the project.
 * @returns undefined when there is no such tag, because nothing has been deployed yet
 * @throws Error when the release has no such file
 */
export function fileOfLastRelease(path: string, repository = root): string | undefined {
  const tag = git(repository, 'describe', '--tags', '--abbrev=0', '--match', 'release-*')?.trim();
  if (tag === undefined) return undefined;
  // In a repository that has this project as a dependency, the contract is in a folder of its own, to which there is a link.
  const link = join(repository, path);
  const file = existsSync(link) ? realpathSync(link) : link;
  const text = git(dirname(file), 'show', `${tag}:./${basename(file)}`);
  if (text === undefined) throw new Error(`${tag} has no file ${path}`);
  return text;
}

/** @returns undefined when the command fails, or when there is no Git */
function git(cwd: string, ...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 });
  return status === 0 ? stdout : undefined;
}
