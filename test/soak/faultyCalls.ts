import { existsSync, readFileSync } from 'node:fs';
import http, { type RequestOptions } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';
import type { FaultWindow } from './faults.ts';

// Loaded before the stack of a soak, in each of its threads. In the windows of the schedule, the threads of Lambdas send some of their
// calls to the database and to the queues to the server of faults. All other calls take their usual way.

/** The environment variable of the stack with the settings, as JSON. Threads do not inherit it. */
export const faultsVariable = 'SOAK_FAULTS';

export interface FaultSettings {
  /** Where the windows are, as JSON, as soon as the load begins. */
  file: string;
  /** The server of faults. */
  url: string;
}

/** The headers that tell the server of faults what to do, and where the call was going. */
export const faultHeaders = { kind: 'x-soak-fault', host: 'x-soak-host' } as const;

/** The share of the calls in a window that meet its fault. */
const faultyShare = 0.2;

function divert({ file, url }: FaultSettings): void {
  const direct = http.request;
  const services = [process.env.AWS_ENDPOINT_URL_DYNAMODB, process.env.AWS_ENDPOINT_URL_SQS].map(
    (endpoint) => new URL(endpoint as string).host,
  );
  let windows: readonly FaultWindow[] | undefined;
  const windowNow = (now: number): FaultWindow | undefined => {
    if (!windows && existsSync(file)) windows = JSON.parse(readFileSync(file, 'utf8'));
    return windows?.find(({ from, to }) => from <= now && now < to);
  };
  http.request = ((options: RequestOptions, ...rest: [never]) => {
    const window = services.includes(`${options.host}:${options.port}`) ? windowNow(Date.now()) : undefined;
    const isHit = window && Math.random() < faultyShare;
    return direct(isHit ? diverted(options, window.kind, new URL(url).port) : options, ...rest);
  }) as typeof http.request;
  syncBuiltinESMExports();
}

const diverted = (options: RequestOptions, kind: string, port: string): RequestOptions => ({
  ...options,
  port,
  headers: {
    ...(options.headers as Record<string, string>),
    [faultHeaders.kind]: kind,
    [faultHeaders.host]: `${options.host}:${options.port}`,
  },
});

const isLambda = process.env.AWS_LAMBDA_FUNCTION_NAME !== undefined;
if (isMainThread && process.env[faultsVariable] !== undefined)
  setEnvironmentData(faultsVariable, process.env[faultsVariable]);
else if (isLambda) divert(JSON.parse(String(getEnvironmentData(faultsVariable))) as FaultSettings);
