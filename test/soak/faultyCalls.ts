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
  /** The server of faults, on 127.0.0.1. */
  port: number;
}

/** The headers that tell the server of faults what to do, and where the call was going. */
export const faultHeaders = { kind: 'x-soak-fault', host: 'x-soak-host', port: 'x-soak-port' } as const;

function divert({ file, port }: FaultSettings): void {
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
    const isHit = window && Math.random() < window.share;
    return direct(isHit ? diverted(options, window.kind, port) : options, ...rest);
  }) as typeof http.request;
  syncBuiltinESMExports();
}

const diverted = (options: RequestOptions, kind: string, port: number): RequestOptions => ({
  ...options,
  host: '127.0.0.1',
  port,
  headers: {
    ...(options.headers as Record<string, string>),
    [faultHeaders.kind]: kind,
    [faultHeaders.host]: String(options.host),
    [faultHeaders.port]: String(options.port),
  },
});

const isLambda = process.env.AWS_LAMBDA_FUNCTION_NAME !== undefined;
if (isMainThread && process.env[faultsVariable] !== undefined)
  setEnvironmentData(faultsVariable, process.env[faultsVariable]);
else if (isLambda) divert(JSON.parse(String(getEnvironmentData(faultsVariable))) as FaultSettings);
