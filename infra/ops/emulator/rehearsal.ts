import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { APIGatewayClient, GetRestApisCommand } from '@aws-sdk/client-api-gateway';
import { CloudFormationClient, ListStacksCommand } from '@aws-sdk/client-cloudformation';
import { LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { env } from '../../../lib/env.ts';
import { OpsError } from '../../terminal/opsError.ts';
import { progressReporter } from '../../terminal/progress.ts';
import { exitCodeOf, onSignals } from '../../terminal/signals.ts';
import { outputsOf } from '../connection.ts';
import { runNode } from '../nodeProcess.ts';
import { root, templatesOf } from '../synth.ts';
import { type Emulator, installEmulator, startEmulator } from './ministack.ts';
import { type Client, followed, must, signedWebhook, tenRequests } from './requests.ts';

const dev = 'public-api-dev';

/**
 * Deploys, uses and destroys dev on an emulator of AWS.
 * @param command of the shell, which runs with dev once that is in use, in the place of all that follows
 * @throws OpsError at the first thing that is not as on AWS
 */
export async function rehearseOnEmulator(command?: string): Promise<void> {
  const { report, end } = progressReporter(process.stderr);
  const work = mkdtempSync(join(tmpdir(), 'rehearsal-'));
  const remove = () => rmSync(work, { recursive: true, force: true });
  process.once('exit', remove);
  const removeHandlers = onSignals((signal) => process.exit(exitCodeOf(signal)));
  let emulator: Emulator | undefined;
  try {
    await report('Installing the emulator', installEmulator);
    const running = await report('Starting the emulator', () => startEmulator(work));
    emulator = running;
    Object.assign(process.env, running.variables);
    for (const one of running.stubs) console.log(`stub   ${one}`);
    const { account, region } = running;
    const { assembly } = await report('Making the templates', () => templatesOf({ stage: 'dev' }));
    await report('Bootstrapping', () => cdk(assembly, 'bootstrap', `aws://${account}/${region}`));
    await report('Deploying dev', () => cdk(assembly, 'deploy', '--all', '--require-approval', 'never'));
    const client = await clientOf(running);
    await report('Using dev', () => use(client));
    if (command !== undefined) return await runWith(client, running, command);
    await report('Destroying dev', () => cdk(assembly, 'destroy', '--all', '--force'));
    for (const line of await left()) console.log(`left   ${line}`);
    console.log('ok     dev was deployed, used and destroyed');
  } finally {
    end();
    await emulator?.stop();
    removeHandlers();
    process.off('exit', remove);
    remove();
  }
}

/** @throws OpsError with what the CLI says */
async function cdk(assembly: string, ...args: string[]): Promise<string> {
  const file = join(root, 'node_modules', 'aws-cdk', 'bin', 'cdk');
  const { status, stdout, stderr } = await runNode(
    [file, ...args, '--app', assembly, '--no-notices', '--no-color'],
    { cwd: root },
  );
  const end = `${stdout}${stderr}`.trimEnd().split('\n').slice(-30).join('\n');
  if (status !== 0) throw new OpsError(`cdk ${args.join(' ')} fails:\n${end}`);
  return stdout;
}

/** Runs a command for ops with the stack. @throws OpsError with what it says */
async function ops(stack: string, ...args: string[]): Promise<string> {
  const file = join(root, 'infra', 'ops', 'ops.ts');
  const { status, stdout, stderr } = await runNode([file, ...args, '--stack', stack], { cwd: root });
  if (status !== 0) throw new OpsError(`${args.join(' ')} fails: ${stderr}`);
  return stdout;
}

/** A client with a new key of a new account. */
async function clientOf({ endpoint }: Emulator): Promise<Client> {
  const named = ['--account', 'acme', '--name', 'rehearsal'];
  const made = await ops(dev, 'keys', 'create', ...named, '--full-access', '--expires', 'never', '--json');
  const [key] = /pak_\w+/.exec(made) as RegExpExecArray;
  const api = (await outputsOf(dev)).get('RestApiId');
  return { url: `${endpoint}/_aws/execute-api/${api}/v1`, key };
}

async function use(client: Client): Promise<void> {
  const { id } = await tenRequests(client);
  const [found] = await followed(client, '/contacts?tag=vip', 1);
  must('The filter finds another contact', found.id === id, found);
  const changes = await followed(client, '/changes', 2);
  const types = changes.map(({ type }: { type: string }) => type);
  must('The changes are others', types.join() === 'contact.created,contact.updated', types);
  await signedWebhook(client);
  const link = await ops(`${dev}-console`, 'console', '--account', 'acme');
  must('There is no link to the console', link.includes('/console/#code='), link);
}

/** The stacks that are left, and the functions of stacks that are gone. */
async function left(): Promise<string[]> {
  const { StackSummaries = [] } = await new CloudFormationClient({}).send(new ListStacksCommand({}));
  const { Functions = [] } = await new LambdaClient({}).send(new ListFunctionsCommand({ MaxItems: 500 }));
  return [
    ...StackSummaries.filter(({ StackStatus }) => StackStatus !== 'DELETE_COMPLETE').map(
      ({ StackName, StackStatus }) => `the stack ${StackName}: ${StackStatus}`,
    ),
    ...Functions.filter(({ FunctionName = '' }) => FunctionName.startsWith(`${dev}-`)).map(
      ({ FunctionName }) => `the function ${FunctionName}`,
    ),
  ];
}

/** Runs a command that finds dev in its environment, as the suites do. Its exit code is that of this process. */
async function runWith({ url }: Client, { endpoint }: Emulator, command: string): Promise<void> {
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
