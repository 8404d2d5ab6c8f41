import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import project from '../../../package.json' with { type: 'json' };
import { StartError } from '../process/startError.ts';

/** The systems that the makers of the database publish it for. */
const publishedSystems = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64'];

/** The one system that the lock file has the database for: the registry it was made with has no other. */
const lockedSystem = 'linux-x64';

const version = project.optionalDependencies[`@dynoxide/${lockedSystem}`];

const alternative =
  'start any DynamoDB-compatible server, such as DynamoDB Local, and name it in DYNAMODB_ENDPOINT.';

/**
 * The program of the embedded database for a system.
 * @throws StartError that says how to come by one
 */
export function databaseBinary(platform: string, arch: string, from: string): string {
  const system = `${platform}-${arch}`;
  if (!publishedSystems.includes(system))
    throw new StartError(`There is no embedded database for ${platform} on ${arch}: ${alternative}`);
  const name = `@dynoxide/${system}`;
  const program = platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';
  try {
    const file = join(createRequire(from).resolve(`${name}/package.json`), '..', program);
    accessSync(file, constants.X_OK);
    return file;
  } catch {
    const command = system === lockedSystem ? 'npm ci' : `npm install --no-save ${name}@${version}`;
    throw new StartError(
      `The embedded database ${name} is not installed: "${command}" brings it. Or ${alternative}`,
    );
  }
}
