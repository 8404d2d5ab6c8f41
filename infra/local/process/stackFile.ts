import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the commands for ops have to know of a local stack that runs. */
export interface StackDescription {
  url: string;
  databaseEndpoint: string;
  /** Where the operations of API Gateway and Lambda that we call are answered. */
  controlEndpoint: string;
  /** The session token that requests to it must have; new at each start. */
  controlToken: string;
  region: string;
  restApiId: string;
  stageName: string;
  keysTable: string;
  recordsTable: string;
  webhooksTable: string;
  recordsInboxUrl: string;
  recordsInboxDeadLettersUrl: string;
  quickDeliveriesUrl: string;
  slowDeliveriesUrl: string;
  deliveriesDeadLettersUrl: string;
  deferredChangesUrl: string;
  deferredChangesDeadLettersUrl: string;
  fanOutFunction: string;
  /** What is set for it, as Lambda's GetFunctionConfiguration tells. */
  fanOutVariables: Record<string, string>;
}

const fileIn = (folder: string) => join(folder, 'stack.json');

export const writeStackFile = (folder: string, running: StackDescription): void =>
  writeJson(fileIn(folder), running);

export const removeStackFile = (folder: string): void => rmSync(fileIn(folder), { force: true });

/** Where a data directory keeps the demo account and its keys. */
export const demoFileIn = (folder: string): string => join(folder, 'demo.json');

/** The stack that was last announced in a folder; whether it still runs, only a request tells. */
export const readStackFile = (folder: string): StackDescription | undefined =>
  readJson<StackDescription>(fileIn(folder));

/** How a client of the SDK finds the operations of API Gateway and Lambda, and may use them. */
export const awsControlClientConfig = ({ controlEndpoint, controlToken, region }: StackDescription) => ({
  endpoint: controlEndpoint,
  region,
  credentials: { accessKeyId: 'local', secretAccessKey: 'local', sessionToken: controlToken },
});

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
