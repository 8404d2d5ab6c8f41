import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outputs } from '../../stacks/outputs.ts';

/** The content of stack.json: what operators' commands need to reach a running local stack. */
export interface StackDescription extends Outputs {
  url: string;
  consoleUrl: string;
  databaseEndpoint: string;
  queuesEndpoint: string;
  /** The endpoint of the AWS control API: `FlushStageAuthorizersCache` and `Invoke`. */
  controlEndpoint: string;
  /** The session token that requests to `controlEndpoint` need. It is new at each start. */
  controlToken: string;
  region: string;
  /** The environment variables of the fan-out function, as GetFunctionConfiguration returns them on AWS. */
  fanOutVariables: Record<string, string>;
}

const fileIn = (folder: string) => join(folder, 'stack.json');

export const writeStackFile = (folder: string, running: StackDescription): void =>
  writeJson(fileIn(folder), running);

export const removeStackFile = (folder: string): void => rmSync(fileIn(folder), { force: true });

export const demoFileIn = (folder: string): string => join(folder, 'demo.json');

/** Reads the stack file of a data directory. After a kill -9, it may describe a stack that no longer runs, so send a request to find out. */
export const readStackFile = (folder: string): StackDescription | undefined =>
  readJson<StackDescription>(fileIn(folder));

/** Returns the configuration of an SDK client for the AWS control API. */
export const awsControlClientConfig = ({ controlEndpoint, controlToken, region }: StackDescription) => ({
  endpoint: controlEndpoint,
  region,
  credentials: { accessKeyId: 'local', secretAccessKey: 'local', sessionToken: controlToken },
});

/** Replaces the file in one step, so a reader never sees half of it. Only its owner may read it, because it may contain keys. */
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
