import { existsSync, readFileSync } from 'node:fs';
import http, { type RequestOptions } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';
import type { FaultWindow } from './schedule.ts';

// Loaded before the stack of a soak, in each of its threads. The threads of Lambdas send some of their calls to the database and to the
// queues to the soak's server of faults instead, in the windows of the schedule. All other calls take their usual way, at no cost.

/** The environment variable of the stack with the faults, as JSON. Threads do not inherit it. */
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
  const isForService = ({ host, port: to }: RequestOptions) => services.includes(`${host}:${to}`);
  const windows = new Windows(file);
  http.request = ((options: RequestOptions, ...rest: [never]) => {
    const window = isForService(options) ? windows.at(Date.now()) : undefined;
    const isHit = window && Math.random() < window.share;
    return direct(isHit ? diverted(options, window.kind, port) : options, ...rest);
  }) as typeof http.request;
  syncBuiltinESMExports();
}

/** How often to look for the file. */
const lookEveryMs = 500;

class Windows {
  private readonly file: string;
  private all: readonly FaultWindow[] | undefined;
  private lookedAt = 0;

  constructor(file: string) {
    this.file = file;
  }

  at(now: number): FaultWindow | undefined {
    if (!this.all && now - this.lookedAt > lookEveryMs) this.look(now);
    return this.all?.find(({ from, to }) => from <= now && now < to);
  }

  private look(now: number): void {
    this.lookedAt = now;
    if (existsSync(this.file)) this.all = JSON.parse(readFileSync(this.file, 'utf8')) as FaultWindow[];
  }
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
