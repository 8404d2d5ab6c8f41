import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A project of its own, so that the packages of the comparison are no dependencies of the product. */
export const peersFolder = join(import.meta.dirname, '../peers');

const json = (...path: string[]) => JSON.parse(readFileSync(join(peersFolder, ...path), 'utf8'));

function areInstalled(): boolean {
  const wanted = Object.entries(json('package.json').dependencies);
  try {
    return wanted.every(([name, version]) => json('node_modules', name, 'package.json').version === version);
  } catch {
    return false;
  }
}

/** Installs the packages of the peers, unless they are installed. @throws Error */
export function installPeers(): void {
  if (areInstalled()) return;
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: peersFolder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0)
    throw new Error(`The peers could not be installed; "npm ci" in ${peersFolder} has to succeed first`);
}
