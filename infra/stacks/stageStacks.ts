import type { Construct } from 'constructs';
import type { FunctionProps } from './api/apiFunction.ts';
import { type ConsoleProps, hasConsole } from './console/console.ts';
import { ApiStack, ConsoleStack, DataStack, ReferenceStack } from './stacks.ts';

export interface StageParts extends Pick<FunctionProps, 'settings' | 'bundles'> {
  /** Files of the console's page. Not read if the stage has no console. */
  pageFiles: ConsoleProps['pageFiles'];
}

/** Creates the stacks of a stage. @param name of its API's stack; the names of the others begin with it */
export function stageStacks(scope: Construct, name: string, { settings, bundles, pageFiles }: StageParts) {
  const data = new DataStack(scope, `${name}-data`, { settings });
  const { tables, inbox, outbox, deliveries } = data;
  const api = new ApiStack(scope, name, { settings, tables, inbox, outbox, deliveries, bundles });
  const { baseUrl, publicStage, alarmTopic } = api;
  if (settings.publishReference) new ReferenceStack(scope, `${name}-reference`, { baseUrl, settings });
  const ofConsole = { baseUrl, publicStage, alarmTopic, tables, deliveries, bundles, pageFiles };
  const console = hasConsole(settings)
    ? new ConsoleStack(scope, `${name}-console`, { settings, ...ofConsole })
    : undefined;
  return { data, api, console };
}
