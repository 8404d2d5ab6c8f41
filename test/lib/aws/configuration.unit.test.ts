import { expect, test, vi } from 'vitest';
import { clientConfiguration, endpoints } from '../../../lib/aws/configuration.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';

const configuration = clientConfiguration(undefined);

test('a call is aborted early enough that all its tries end within the time of a request', async () => {
  const { connectionTimeout, requestTimeout, throwOnRequestTimeout } = configuration.requestHandler;
  expect(throwOnRequestTimeout).toBe(true);
  expect(connectionTimeout).toBeLessThanOrEqual(requestTimeout);
  // A function has ten seconds, of which the endpoint keeps one back.
  expect((await dynamodb().config.maxAttempts()) * requestTimeout).toBeLessThan(9000);
});

test('no item is redacted for a log line that is not written, and no input of a command is logged', () => {
  expect(configuration.logger).not.toHaveProperty('info');
  expect(String(configuration.logger.error)).toMatch(/\{\s*\}$/);
});

test('the endpoint of a service is its own, else that of all, else that of AWS', () => {
  vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:1');
  vi.stubEnv('AWS_ENDPOINT_URL_SQS', 'http://127.0.0.1:2');
  vi.stubEnv('AWS_ENDPOINT_URL_API_GATEWAY', '');
  expect([endpoints.sqs(), endpoints.apiGateway()]).toEqual(['http://127.0.0.1:2', 'http://127.0.0.1:1']);
  vi.stubEnv('AWS_ENDPOINT_URL', '');
  expect(endpoints.apiGateway()).toBeUndefined();
  vi.unstubAllEnvs();
});

test('the SDK reads no configuration files on its first call', () => {
  for (const name of [
    'ignoreConfiguredEndpointUrls',
    'maxAttempts',
    'retryMode',
    'defaultsMode',
    'useFipsEndpoint',
    'useDualstackEndpoint',
    'authSchemePreference',
    'userAgentAppId',
    'disableClockSkewCorrection',
  ])
    expect(configuration).toHaveProperty(name);
});
