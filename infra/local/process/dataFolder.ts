import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isAlive } from './isAlive.ts';
import { StartError } from './startError.ts';

export interface DataFolder {
  path: string;
  release(): void;
}

/**
 * Takes a folder for this process alone, until the process ends however it ends: the lock is SQLite's, so the system
 * lets go of it after a kill -9 too.
 * @throws StartError when it is no folder, cannot be written to, or another local stack has it
 */
export function lockDataFolder(name: string, { fresh }: { fresh: boolean }): DataFolder {
  const path = resolve(name);
  if (statSync(path, { throwIfNoEntry: false })?.isFile())
    throw new StartError(`The data directory ${path} is a file. Choose another with --data.`);
  try {
    makeFolder(path);
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(`The data directory ${path} cannot be written to: ${(error as Error).message}`);
  }
  const lock = lockIn(path);
  // Only our own files: somebody may have named a folder that holds others too.
  if (fresh) for (const file of ownFiles) rmSync(join(path, file), { force: true, recursive: true });
  assertFreeSpace(path);
  assertCurrentFormat(path);
  return { path, release: () => lock.close() };
}

/** What the database, its queues and the demo data take, and some more to work with. */
const freeBytesMin = 32 * 1024 * 1024;

/** Rather than to fail somewhere on the way, in the words of whoever is first to have no room. @throws StartError */
function assertFreeSpace(path: string): void {
  const { bavail, bsize } = statfsSync(path);
  if (bavail * bsize < freeBytesMin)
    throw new StartError(
      `The disk of the data directory ${path} is full: the local stack needs ${freeBytesMin / 1024 / 1024} MB. Free some, or choose another directory with --data.`,
    );
}

/** Of the data that is kept here. It changes when what an older version kept cannot be read any more. */
const format = '2';

const formatFile = 'format';

/** Made when the first start has made everything else. */
const demoFile = 'demo.json';

/** Lists of an older format would show ids under which nothing is found. @throws StartError */
function assertCurrentFormat(path: string): void {
  const file = join(path, formatFile);
  const holdsData = statSync(join(path, demoFile), { throwIfNoEntry: false })?.isFile();
  if (holdsData && (!existsSync(file) || readFileSync(file, 'utf8').trim() !== format))
    throw new StartError(
      `The data directory ${path} holds data of another version of this project, whose ids this one cannot read. Begin anew with --fresh, or choose another directory with --data.`,
    );
  writeFileSync(file, `${format}\n`, { mode: 0o600 });
}

/**
 * For the owner alone, because keys are kept in there. Folder by folder: Node's own way of making parents never ends
 * below a folder that takes none, such as /proc.
 */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** Where the embedded SQS keeps its file. */
export const queuesFolder = 'queues';

/** How far streams have been handled. */
export const checkpointsFile = 'checkpoints.json';

/** What the bucket for changes that could not be handled is on AWS. */
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
    const lock = new DatabaseSync(join(path, 'lock.sqlite'), { timeout: 0 });
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    writeFileSync(join(path, lockHolderFile), `${process.pid}\n`);
    return lock;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === sqliteBusy)
      throw new StartError(
        `The data directory ${path} is in use by another local stack${lockHolderIn(path)}. End that, or choose another directory with --data.`,
      );
    throw new StartError(`The data directory ${path} cannot be used: ${(error as Error).message}`);
  }
}

/** Who has the lock. It stays when the process ends, and then names nobody. */
const lockHolderFile = 'lock.pid';

/** A clause that names the process which has the lock; nothing where that cannot be told. */
function lockHolderIn(path: string): string {
  try {
    const pid = Number(readFileSync(join(path, lockHolderFile), 'utf8'));
    return pid > 0 && isAlive(pid) ? `, whose process id is ${pid}` : '';
  } catch {
    return '';
  }
}

/** https://www.sqlite.org/rescode.html#busy */
const sqliteBusy = 5;
