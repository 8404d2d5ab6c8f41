import { DefaultReporter, type TestCase, type TestModule } from 'vitest/node';

const minuteMs = 60_000;

/** In this time something ends on the slowest machine: a test, or a hook. */
const standstillMs = 20 * minuteMs;

type Parameters<Name extends keyof DefaultReporter> = DefaultReporter[Name] extends (...args: infer A) => void
  ? A
  : never;

/**
 * Prints a line for each file, what differs in each test that fails, and the sum. No test has a time limit of its own; a run in which
 * nothing ends any more says what is under way, and fails.
 */
export class Reporter extends DefaultReporter {
  private readonly seed: string;
  private readonly leftOut: ReadonlyMap<string, string>;
  private readonly underWay = new Set<string>();
  private lastEnd = Date.now();
  private watch: NodeJS.Timeout | undefined;

  /** @param leftOut the files of suites that do not run, each with how to get what they need */
  constructor(seed: string, leftOut: ReadonlyMap<string, string>) {
    super();
    this.seed = seed;
    this.leftOut = leftOut;
  }

  override onTestRunStart(...args: Parameters<'onTestRunStart'>): void {
    super.onTestRunStart(...args);
    this.lastEnd = Date.now();
    this.watch = setInterval(() => this.failAtStandstill(), minuteMs).unref();
  }

  override onTestCaseReady(test: TestCase): void {
    super.onTestCaseReady(test);
    this.underWay.add(nameOf(test));
  }

  override onTestCaseResult(test: TestCase): void {
    super.onTestCaseResult(test);
    this.underWay.delete(nameOf(test));
    this.lastEnd = Date.now();
  }

  override onHookEnd(...args: Parameters<'onHookEnd'>): void {
    super.onHookEnd(...args);
    this.lastEnd = Date.now();
  }

  onTestModuleStart({ relativeModuleId }: TestModule): void {
    this.underWay.add(relativeModuleId);
  }

  override onTestModuleEnd(module: TestModule): void {
    super.onTestModuleEnd(module);
    this.underWay.delete(module.relativeModuleId);
    this.lastEnd = Date.now();
  }

  override onTestRunEnd(...[modules, errors, reason]: Parameters<'onTestRunEnd'>): void {
    clearInterval(this.watch);
    super.onTestRunEnd(modules, errors, reason);
    for (const [file, hint] of this.leftOut) this.log(`  Skipped  ${file}: ${hint}`);
    this.log(`  Sampled with  TEST_SEED=${this.seed}`);
  }

  /** The line of a file counts its tests. */
  protected override printTestCase(): void {}

  private failAtStandstill(): void {
    if (Date.now() - this.lastEnd < standstillMs) return;
    this.error(`Nothing has ended for ${standstillMs / minuteMs} minutes. Under way:`);
    for (const name of this.underWay) this.error(`  ${name}`);
    process.exitCode = 1;
    void this.ctx.exit(true);
  }
}

const nameOf = (test: TestCase): string => `${test.module.relativeModuleId}: ${test.fullName}`;
