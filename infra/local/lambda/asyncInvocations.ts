import { drain } from '../process/drain.ts';
import { assertKnownProperties } from '../template/resourceTypes.ts';
import type { Resource } from '../template/template.ts';
import type { Lambda } from './lambda.ts';

/** Asynchronous invocations, whose result nobody waits for. */
export interface AsyncInvocations {
  /** Invokes a function, and retries if it fails. */
  begin(functionName: string, event: unknown): void;
  /** Cancels retries, and waits a moment for running invocations. Unlike on AWS, events that wait for a retry are lost. */
  stop(): Promise<void>;
}

interface Settings {
  retriesMax: number;
  ageMaxMs: number;
}

/** Lambda's defaults. https://docs.aws.amazon.com/lambda/latest/api/API_PutFunctionEventInvokeConfig.html */
const defaultSettings: Settings = { retriesMax: 2, ageMaxMs: 6 * 3_600_000 };

/** How long to wait before the first and the second retry. https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html */
const waitsMs = [60_000, 120_000];

const known = ['FunctionName', 'MaximumEventAgeInSeconds', 'MaximumRetryAttempts', 'Qualifier'];

/** @throws StartError if a configuration has a property that the local stack does not know */
export function asyncInvocations(
  configs: readonly Resource[],
  lambdas: ReadonlyMap<string, Pick<Lambda, 'invoke'>>,
): AsyncInvocations {
  const settings = new Map(configs.map(settingsOf));
  const underWay = new Set<Promise<void>>();
  const waiting = new Set<NodeJS.Timeout>();
  let stopped = false;

  function begin(functionName: string, event: unknown): void {
    const lambda = lambdas.get(functionName) as Pick<Lambda, 'invoke'>;
    const { retriesMax, ageMaxMs } = settings.get(functionName) ?? defaultSettings;
    const began = Date.now();
    const attempt = (retries: number): void => {
      const running = lambda.invoke(event).then(
        () => {},
        // The function's log contains the error.
        () => retry(retries),
      );
      underWay.add(running);
      void running.then(() => underWay.delete(running));
    };
    const retry = (retries: number): void => {
      const waitMs = waitsMs[retries] as number;
      if (stopped || retries >= retriesMax || Date.now() + waitMs - began >= ageMaxMs) return;
      const timer = setTimeout(() => {
        waiting.delete(timer);
        attempt(retries + 1);
      }, waitMs);
      waiting.add(timer);
    };
    attempt(0);
  }

  return {
    begin,
    stop: async () => {
      stopped = true;
      for (const timer of waiting) clearTimeout(timer);
      await drain(underWay);
    },
  };
}

/** The qualifier names a version. The local stack has one version of each function, so it is ignored. */
function settingsOf({ id, properties }: Resource): [functionName: string, settings: Settings] {
  assertKnownProperties(id, properties, known);
  const { FunctionName, MaximumEventAgeInSeconds, MaximumRetryAttempts } = properties;
  return [
    String(FunctionName),
    {
      retriesMax: Number(MaximumRetryAttempts ?? defaultSettings.retriesMax),
      ageMaxMs: MaximumEventAgeInSeconds ? Number(MaximumEventAgeInSeconds) * 1000 : defaultSettings.ageMaxMs,
    },
  ];
}
