import { drain } from '../process/drain.ts';
import { assertKnownProperties } from '../template/assertKnownProperties.ts';
import type { Resource } from '../template/template.ts';
import type { Lambda } from './lambda.ts';

/** Invocations for whose result nobody waits. */
export interface AsyncInvocations {
  /** Invokes a function, and again when it fails. */
  begin(functionName: string, event: unknown): void;
  /** Ends the waiting; runs under way get a moment. Events whose next try was to come are lost: on AWS they would be kept. */
  stop(): Promise<void>;
}

/** How Lambda goes on with a function that fails. */
interface Settings {
  retriesMax: number;
  ageMaxMs: number;
}

/** What holds for a function without settings. https://docs.aws.amazon.com/lambda/latest/api/API_PutFunctionEventInvokeConfig.html */
const defaultSettings: Settings = { retriesMax: 2, ageMaxMs: 6 * 3_600_000 };

/** Before the first retry, and before the second. https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html */
const waitsMs = [60_000, 120_000];

const known = ['FunctionName', 'MaximumEventAgeInSeconds', 'MaximumRetryAttempts', 'Qualifier'];

/** @throws StartError when settings say what the local stack does not know */
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
        // What the function wrote about its failure is in its log.
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

/** The qualifier says for which version they hold, and one machine has one. */
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
