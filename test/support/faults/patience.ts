import { vi } from 'vitest';
import { clientConfiguration } from '../../../lib/aws.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';

/** What the SDK makes of its options, which its types do not tell. */
interface Handler {
  updateHttpClientConfig(name: string, value: number): void;
}

/**
 * Has the code under test measure time by the work of this process, and wait for the database as long as it takes. Where one
 * process stands for many Lambdas, they share its processor and its fifty connections: how long one of them waits tells how
 * busy the machine is, and nothing about them. Deadlines still end what works without end.
 * @returns undoes it
 */
export function onItsOwnTime(): () => void {
  const began = Date.now();
  const before = process.cpuUsage();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
    const { user, system } = process.cpuUsage(before);
    return began + Math.floor((user + system) / 1000);
  });
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
  const handler = dynamodb().config.requestHandler as unknown as Handler;
  const limit = (connectionTimeout: number, requestTimeout: number) => {
    handler.updateHttpClientConfig('connectionTimeout', connectionTimeout);
    handler.updateHttpClientConfig('requestTimeout', requestTimeout);
  };
  // What the SDK takes for no limit; and that they wait for connections is no news.
  limit(0, 0);
  handler.updateHttpClientConfig('socketAcquisitionWarningTimeout', 2 ** 31 - 1);
  return () => {
    clock.mockRestore();
    timeout.mockRestore();
    const { connectionTimeout, requestTimeout } = clientConfiguration(undefined).requestHandler;
    limit(connectionTimeout, requestTimeout);
  };
}
