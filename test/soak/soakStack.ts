import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeJson } from '../../infra/local/process/stackFile.ts';
import { type StackProcess, startStackProcess } from '../support/stack/stackProcess.ts';
import { type FaultSettings, faultsVariable } from './faults/faultyCalls.ts';
import type { FaultWindow } from './faults/schedule.ts';

/** For so long after a window or a restart, requests that have waited may still fail, in milliseconds. */
const graceMs = 5000;

const preload = pathToFileURL(join(import.meta.dirname, 'faults', 'faultyCalls.ts')).href;

/** The local stack of a soak, which is killed and started again on its data. */
export class SoakStack {
  private readonly folder: string;
  private readonly settings: FaultSettings;
  private running: StackProcess | undefined;
  /** When calls of its Lambdas meet faults. */
  private windows: readonly FaultWindow[] = [];
  /** When it was killed, and when it was ready again; Infinity until then. Epoch milliseconds. */
  readonly outages: { from: number; to: number }[] = [];

  /** @param port of the server of faults */
  constructor(folder: string, port: number) {
    this.folder = folder;
    this.settings = { file: join(folder, 'soak-faults.json'), port };
  }

  async start(): Promise<void> {
    this.running = await startStackProcess(this.folder, {
      node: ['--import', preload],
      env: { [faultsVariable]: JSON.stringify(this.settings) },
      detached: true,
    });
  }

  /** From now on, calls meet faults in these windows. */
  meetFaults(windows: readonly FaultWindow[]): void {
    this.windows = windows;
    writeJson(this.settings.file, windows);
  }

  async killAndRestart(): Promise<void> {
    const outage = { from: Date.now(), to: Number.POSITIVE_INFINITY };
    this.outages.push(outage);
    await this.running?.kill();
    await this.start();
    outage.to = Date.now();
  }

  async stop(): Promise<void> {
    await this.running?.stop();
  }

  get url(): string {
    return this.running?.ready.url ?? '';
  }

  get processId(): number {
    return this.running?.process.pid ?? 0;
  }

  /** Whether a fault explains that a request between two times has failed. */
  explains(from: number, to: number): boolean {
    return [...this.windows, ...this.outages].some((fault) => fault.from <= to && from <= fault.to + graceMs);
  }
}
