import { vi } from 'vitest';
import { clientConfiguration } from '../../../lib/aws/configuration.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';

/** A part of the SDK's handler that its types leave out. */
interface Handler {
  updateHttpClientConfig(name: string, value: number): void;
}

/**
 * Lets the code under test measure time by the processor time of this process, and wait for the database without a limit. When
 * one process stands for many Lambdas, they share its processor and its fifty connections: waiting times then depend on the
 * machine. Deadlines still end work that never stops.
 * @returns ends it
 */
export function useProcessTime(): () => void {
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
  // The SDK takes 0 for no limit. Its warning about waiting for connections is switched off.
  limit(0, 0);
  handler.updateHttpClientConfig('socketAcquisitionWarningTimeout', 2 ** 31 - 1);
  return () => {
    clock.mockRestore();
    timeout.mockRestore();
    const { connectionTimeout, requestTimeout } = clientConfiguration(undefined).requestHandler;
    limit(connectionTimeout, requestTimeout);
  };
}
