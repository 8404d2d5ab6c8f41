import { devNull } from 'node:os';
import { awsEnvironment } from './template/template.ts';

/**
 * Makes this process ignore the shell and the AWS CLI's files, because a local stack has its own endpoints and credentials. A profile would
 * override these, an endpoint for FIPS conflicts with them, and a proxy does not reach this machine. Node reads NO_PROXY at each `fetch`. The
 * SDK and the webhooks use agents that know no proxy.
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
