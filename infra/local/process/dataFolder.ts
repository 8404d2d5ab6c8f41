import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDamage, StartError } from './startError.ts';

/**
 * Creates the data directory if it is missing, and locks it for this process. The lock is SQLite's, so the operating system releases it when
 * the process ends, even after a kill -9.
 * @throws StartError if the path is a file, cannot be written to, or is locked by another local stack
 */
export function lockDataFolder(name: string, { fresh }: { fresh: boolean }) {
  const path = resolve(name);
  if (statSync(path, { throwIfNoEntry: false })?.isFile())
    throw new StartError(`The data directory ${path} is a file. Choose another with --data.`);
  try {
    makeFolder(path);
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(`The data directory ${path} cannot be written to: ${(error as Error).message}`);
  }
  assertOwn(path);
  const lock = lockIn(path);
  // Deletes only files of the local stack, because --data may name a folder with other files in it.
  if (fresh) for (const file of ownFiles) rmSync(join(path, file), { force: true, recursive: true });
  assertCurrentFormat(path);
  return { path, release: () => lock.close() };
}

/**
 * Checks that the folder belongs to a local stack. Another folder may contain folders of the same names, which must not be used or deleted.
 * @throws StartError
 */
function assertOwn(path: string): void {
  const has = (...names: string[]) => existsSync(join(path, ...names));
  if (has(formatFile) || has(demoFile) || has(queuesFolder, queuesFile)) return;
  const foreign = [queuesFolder, failedChangesFolder].find((name) => has(name));
  if (foreign !== undefined)
    throw new StartError(
      `The directory ${path} has a folder ${foreign}, which is not of a local stack. Choose another with --data.`,
    );
}

/** The version of the data format. Increase it if this code cannot read older data, or if older data has no index of its records. */
const format = '7';

const formatFile = 'format';

/** The last file that the first start writes, so it shows that the directory contains data. */
const demoFile = 'demo.json';

/** Refuses data of another format, because lists would show ids that no request finds, or leave records out. @throws StartError */
function assertCurrentFormat(path: string): void {
  const file = join(path, formatFile);
  const holdsData = statSync(join(path, demoFile), { throwIfNoEntry: false })?.isFile();
  if (holdsData && (!existsSync(file) || readFileSync(file, 'utf8').trim() !== format))
    throw new StartError(
      `The data directory ${path} holds data of another version of this project, which this version cannot use. Delete the data with --fresh, or choose another directory with --data.`,
    );
  writeFileSync(file, `${format}\n`, { mode: 0o600 });
}

/**
 * Creates a folder that only its owner may read, because it contains API keys. Parents are created one by one, because `mkdirSync` with
 * `recursive` never returns below a folder that allows no subfolders, such as /proc.
 */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** The folder of the embedded SQS, which contains its file. */
export const queuesFolder = 'queues';
const queuesFile = 'fauxqs.db';

/** The position in each stream up to which changes are handled. */
export const checkpointsFile = 'checkpoints.json';

/** Stands in for the bucket of failed changes. */
export const failedChangesFolder = 'failed-changes';

const ownFiles = [
  'dynamodb.sqlite',
  'dynamodb.sqlite-shm',
  'dynamodb.sqlite-wal',
  demoFile,
  formatFile,
  'stack.json',
  'lambda.log',
  queuesFolder,
  checkpointsFile,
  failedChangesFolder,
];

function lockIn(path: string): DatabaseSync {
  try {
    const lock = new DatabaseSync(join(path, lockFile), { timeout: 0 });
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === sqliteBusy)
      throw new StartError(
        `The data directory ${path} is in use by another local stack. Stop that one, or choose another directory with --data.`,
      );
    const { message } = error as Error;
    if (isDamage(message))
      throw new StartError(`The lock file ${join(path, lockFile)} is damaged. Delete it: it holds no data.`);
    throw new StartError(`The data directory ${path} cannot be used: ${message}`);
  }
}

const lockFile = 'lock.sqlite';

/** https://www.sqlite.org/rescode.html#busy */
const sqliteBusy = 5;
