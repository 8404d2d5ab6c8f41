import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The environment of a shell in which the AWS CLI and SDKs would look for credentials that nobody gives, at addresses that do not
 * exist, through a proxy that does not answer.
 * @param folder where the settings of the AWS CLI are written
 */
export function hostileShell(folder: string): Record<string, string> {
  const config = join(folder, 'aws.config');
  const profile = ['credential_process = false', 'use_fips_endpoint = true', 'sso_session = unknown'];
  writeFileSync(config, ['[default]', ...profile, '[profile broken]', ...profile].join('\n'));
  const proxy = 'http://127.0.0.1:9';
  return {
    AWS_CONFIG_FILE: config,
    AWS_PROFILE: 'broken',
    AWS_DEFAULT_PROFILE: 'unknown',
    AWS_ACCESS_KEY_ID: 'of-the-shell',
    AWS_REGION: 'eu-west-1',
    AWS_ENDPOINT_URL: proxy,
    AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true',
    AWS_USE_FIPS_ENDPOINT: 'true',
    AWS_USE_DUALSTACK_ENDPOINT: 'true',
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
  };
}
