import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import project from '../../../package.json' with { type: 'json' };
import { StartError } from '../process/startError.ts';

/** The systems for which the database is published. */
const publishedSystems = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64'];

/** The only system with the database in the lock file: the registry that made the lock file has no other. */
const lockedSystem = 'linux-x64';

const version = project.optionalDependencies[`@dynoxide/${lockedSystem}`];

/**
 * The path of the executable of the embedded database.
 * @throws StartError when there is none; its message says how to install one
 */
export function databaseBinary(platform: string, arch: string, from: string): string {
  const system = `${platform}-${arch}`;
  if (!publishedSystems.includes(system))
    throw new StartError(`There is no embedded database for ${platform} on ${arch}.`);
  const name = `@dynoxide/${system}`;
  const program = platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';
  try {
    const file = join(createRequire(from).resolve(`${name}/package.json`), '..', program);
    accessSync(file, constants.X_OK);
    return file;
  } catch {
    const command = system === lockedSystem ? 'npm ci' : `npm install --no-save ${name}@${version}`;
    throw new StartError(`The embedded database ${name} is not installed. Install it with "${command}".`);
  }
}
