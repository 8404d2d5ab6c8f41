import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { APIGatewayClient, GetRestApisCommand } from '@aws-sdk/client-api-gateway';
import { env } from '../../../lib/env.ts';
import { root } from '../synth.ts';
import { dev } from './changedAssembly.ts';
import type { Emulator } from './ministack.ts';
import type { Client } from './requests.ts';

/** Runs a command that finds dev in its environment, as the suites do. Its exit code is that of this process. */
export async function runWith({ url }: Client, { endpoint }: Emulator, command: string): Promise<void> {
  const { items = [] } = await new APIGatewayClient({}).send(new GetRestApisCommand({}));
  const ofConsole = items.find(({ name }) => name === `${dev}-console`);
  const variables = {
    API_URL: url,
    API_STACK: dev,
    CONSOLE_URL: `${endpoint}/_aws/execute-api/${ofConsole?.id}/console/`,
    [env.allowLoopbackReceivers]: '1',
  };
  const child = spawn(command, {
    cwd: root,
    env: { ...process.env, ...variables },
    shell: true,
    stdio: 'inherit',
  });
  const [code] = await once(child, 'close');
  process.exitCode = code ?? 1;
}
