import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeJson } from '../../infra/local/process/stackFile.ts';
import type { ExampleProduct } from '../product/support/exampleProduct.ts';
import { UnreliableQueues } from '../product/support/unreliableQueues.ts';
import type { Random } from '../simulation/random.ts';
import { root, type StackProcess, startStackProcess } from '../support/stack/stackProcess.ts';
import { type FaultWindow, openFaultServer } from './faults.ts';
import { faultsVariable } from './faultyCalls.ts';

const preload = pathToFileURL(join(import.meta.dirname, 'faultyCalls.ts')).href;

/** For so long after a window or a restart, requests that have waited may still fail, in milliseconds. */
const graceMs = 5000;

/** A local stack and the example product, with queues between them that repeat, delay and lose. Each part can be killed. */
export class Stage {
  readonly folder: string;
  private readonly cwd: string;
  private readonly faultsFile: string;
  readonly queues: UnreliableQueues;
  readonly product: ExampleProduct;
  private readonly faults: Awaited<ReturnType<typeof openFaultServer>>;
  private running: StackProcess | undefined;
  private address = '';
  /** When calls of the Lambdas meet faults, and when the stack was down. Epoch milliseconds. */
  private windows: readonly FaultWindow[] = [];
  private readonly outages: { from: number; to: number }[] = [];

  private constructor(
    folder: string,
    random: Random,
    faults: Stage['faults'],
    product: ExampleProduct,
    cwd: string,
  ) {
    this.folder = folder;
    this.cwd = cwd;
    this.faultsFile = join(folder, 'soak-faults.json');
    this.faults = faults;
    this.queues = new UnreliableQueues(random, () => new URL(this.description.recordsInboxUrl).origin);
    this.product = product;
  }

  /** @param cwd the project of the stack, which may be a copy with a resource of its own */
  static async open(folder: string, random: Random, product: ExampleProduct, cwd = root): Promise<Stage> {
    const stage = new Stage(folder, random, await openFaultServer(), product, cwd);
    await stage.start();
    stage.address = await stage.queues.open();
    product.start(stage.description, stage.address);
    return stage;
  }

  private async start(): Promise<void> {
    this.running = await startStackProcess(this.folder, {
      cwd: this.cwd,
      node: ['--import', preload],
      env: { [faultsVariable]: JSON.stringify({ file: this.faultsFile, url: this.faults.url }) },
      detached: true,
    });
  }

  get description(): StackProcess['description'] {
    return (this.running as StackProcess).description;
  }

  /** The base URL of the API, which is another one after each restart. */
  get url(): string {
    return (this.running as StackProcess).ready.url;
  }

  get counts() {
    return { ...this.queues.counts, outages: this.outages.length };
  }

  /** From now on, calls meet faults in these windows. */
  meetFaults(windows: readonly FaultWindow[]): void {
    this.windows = windows;
    writeJson(this.faultsFile, windows);
  }

  readonly killProduct = async (): Promise<void> => {
    await this.product.kill();
    await this.queues.giveBack();
    this.product.start(this.description, this.address);
  };

  readonly killStack = async (): Promise<void> => {
    const outage = { from: Date.now(), to: Number.POSITIVE_INFINITY };
    this.outages.push(outage);
    await this.running?.kill();
    await this.start();
    outage.to = Date.now();
    await this.killProduct();
  };

  /** Whether a fault explains that a request which began at a time has failed now. */
  explains(from: number): boolean {
    const now = Date.now();
    return [...this.windows, ...this.outages].some(
      (fault) => fault.from <= now && from <= fault.to + graceMs,
    );
  }

  async close(): Promise<void> {
    await this.product.kill();
    this.queues.close();
    await this.running?.stop();
    this.faults.close();
  }
}
