import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

/** The files that a release leaves for the next one. `npm run examples` writes them. */
export const examplesPath = 'test/compatibility/examples.json';

/**
 * Returns a file of the last deployed release, which is the newest tag `release-…` before this state of the project.
 * @returns undefined if there is no such tag, because nothing has been deployed yet
 * @throws Error if the release has no such file
 */
export function fileOfLastRelease(path: string, repository = root): string | undefined {
  const tag = git(repository, 'describe', '--tags', '--abbrev=0', '--match', 'release-*')?.trim();
  if (tag === undefined) return undefined;
  // In a repository that depends on this project, the contract has its own folder, which a link leads to.
  const link = join(repository, path);
  const file = existsSync(link) ? realpathSync(link) : link;
  const text = git(dirname(file), 'show', `${tag}:./${basename(file)}`);
  if (text === undefined) throw new Error(`${tag} has no file ${path}`);
  return text;
}

/** @returns undefined if the command fails, or if Git is missing */
function git(cwd: string, ...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 });
  return status === 0 ? stdout : undefined;
}
