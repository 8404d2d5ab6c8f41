import { devNull } from 'node:os';
import { awsEnvironment } from './template/template.ts';

/**
 * Makes this process ask neither the shell nor the files of the AWS CLI for anything: a local stack has endpoints and credentials of
 * its own. A profile would take the place of those, an endpoint for FIPS is refused beside them, and a proxy does not reach this
 * machine. Node reads NO_PROXY at each `fetch`; the SDK and the webhooks have agents that know no proxy.
 */
export function ignoreShell(): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, {
    AWS_REGION: awsEnvironment.region,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    NO_PROXY: '*',
    no_proxy: '*',
  });
}
