import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the commands for ops have to know of a local stack that runs. */
export interface Running {
  url: string;
  databaseEndpoint: string;
  /** Where the operations of API Gateway and Lambda that we call are answered. */
  controlEndpoint: string;
  region: string;
  restApiId: string;
  stageName: string;
  keysTable: string;
  recordsTable: string;
  webhooksTable: string;
  recordsInboxUrl: string;
  recordsInboxDeadLettersUrl: string;
  deliveriesUrl: string;
  slowDeliveriesUrl: string;
  deliveriesDeadLettersUrl: string;
  deferredChangesUrl: string;
  deferredChangesDeadLettersUrl: string;
  fanOutFunction: string;
}

const fileIn = (folder: string) => join(folder, 'stack.json');

export const announce = (folder: string, running: Running): void => writeJson(fileIn(folder), running);

export const withdraw = (folder: string): void => rmSync(fileIn(folder), { force: true });

/** The stack that was last announced in a folder; whether it still runs, only a request tells. */
export const announced = (folder: string): Running | undefined => readJson<Running>(fileIn(folder));

/** Whole or not at all, whenever the process ends. Only for the owner: the demo keys are written like this too. */
export function writeJson(file: string, value: unknown): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
