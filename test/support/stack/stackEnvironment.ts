import type { StackDescription } from '../../../infra/local/process/stackFile.ts';
import { operations } from '../../../lib/contract/index.ts';
import { env } from '../../../lib/env.ts';

/**
 * Configures handlers in this process to use the queues of a stack, as its Lambdas do.
 * @param loopback whether they send to receivers on loopback: '1' where they do
 */
export function useStackEnvironment(
  running: Pick<
    StackDescription,
    'quickDeliveriesUrl' | 'slowDeliveriesUrl' | 'deferredFanOutUrl' | 'deferredIndexUrl' | 'keyChangesUrl'
  >,
  loopback = '1',
): void {
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SQS: new URL(running.quickDeliveriesUrl).origin,
    [env.quickDeliveriesQueue]: running.quickDeliveriesUrl,
    [env.slowDeliveriesQueue]: running.slowDeliveriesUrl,
    [env.deferredFanOutQueue]: running.deferredFanOutUrl,
    [env.deferredIndexQueue]: running.deferredIndexUrl,
    [env.keyChangesQueue]: running.keyChangesUrl,
    [env.recordsRetries]: new URL('RecordsInboxRetries', running.quickDeliveriesUrl).href,
    [env.staleAnswerSeconds]: '10',
    [env.allowLoopbackReceivers]: loopback,
    [env.metricsNamespace]: 'local',
    [env.consoleUrl]: 'https://console.example.com/console/',
    [env.apiUrl]: 'https://api.example.com/v1',
    [env.keyEnvironment]: 'test',
    [env.routes]: JSON.stringify(
      Object.fromEntries(operations.map(({ method, path, id }) => [`${method} ${path}`, id])),
    ),
  });
}
