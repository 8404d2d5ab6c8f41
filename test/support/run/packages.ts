import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

// Packages that few tests need are not part of `npm ci`: they are in a folder with a lock file of its own, and are
// installed when something first needs them.

const root = join(import.meta.dirname, '..', '..', '..');

/** It says with which lock file the packages of a folder were installed. */
const markFile = join('node_modules', '.installed.json');

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

const areInstalled = (folder: string): boolean =>
  contentOf(join(folder, markFile)) === contentOf(join(folder, 'package-lock.json'));

/**
 * Installs the packages of a folder that has a lock file, unless they are installed. Processes that need them at the same time wait
 * for the one that installs them.
 * @throws Error when npm fails, for instance because the registry cannot be reached
 */
export function installPackages(folder: string): void {
  if (areInstalled(folder)) return;
  mkdirSync(join(root, 'build'), { recursive: true });
  // The operating system releases SQLite's lock when a process ends, also after a kill -9.
  const lock = new DatabaseSync(join(root, 'build', 'packages.sqlite'), { timeout: 600_000 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    if (areInstalled(folder)) return;
    const { status, stderr, error } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    });
    if (status !== 0)
      throw new Error(
        `The packages of ${relative(root, folder)} could not be installed; "npm ci" there has to succeed first: ${error ?? stderr}`,
      );
    writeFileSync(join(folder, markFile), readFileSync(join(folder, 'package-lock.json')));
  } finally {
    lock.close();
  }
}

/** The file of a package, or of one of its modules, in a folder that has a lock file; installed if it is not. @throws Error */
export function packageFile(folder: string, name: string): string {
  installPackages(folder);
  return createRequire(join(folder, 'package.json')).resolve(name);
}

/** A package of a folder that has a lock file; installed if it is not. @throws Error */
export const packageOf = async <T>(folder: string, name: string): Promise<T> =>
  (await import(pathToFileURL(packageFile(folder, name)).href)) as T;
