import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  ListStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { GetFunctionConfigurationCommand, LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { stagesFolder } from '../../stacks/stages/stages.ts';
import { OpsError } from '../../terminal/opsError.ts';
import { progressReporter } from '../../terminal/progress.ts';
import { exitCodeOf, onSignals } from '../../terminal/signals.ts';
import { outputsOf } from '../connection.ts';
import { runNode } from '../nodeProcess.ts';
import { root, templatesOf } from '../synth.ts';
import { breakTemplate, changeCode, changedFunction, dev } from './changedAssembly.ts';
import { type Emulator, installEmulator, startEmulator } from './ministack.ts';
import { ask, type Client, followed, must, signedWebhook, tenRequests } from './requests.ts';
import { runWith } from './runWith.ts';

const prod = 'public-api-prod';

/** The memory of the function that the second deployment changes. */
const changedMemory = 640;

/**
 * Deploys, uses, updates and destroys the stacks on an emulator of AWS.
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
    const assembly = await report('Making the templates of dev', () => copyOf('dev', join(work, 'dev')));
    await report('Bootstrapping', () => cdk(assembly, 'bootstrap', `aws://${account}/${region}`));
    await report('Deploying dev', () => deploy(assembly));
    const client = await clientOf(dev, running);
    await report('Using dev', () => use(dev, client));
    if (command !== undefined) return await runWith(client, running, command);
    await report('Updating a function and a setting of dev', () => update(work, client));
    await report('Failing to deploy dev', () => fail(join(work, 'changed'), client));
    const ofProd = await report('Making the templates of prod', () => copyOf('prod', join(work, 'prod')));
    await report('Deploying prod', () => deploy(ofProd));
    const productive = await clientOf(prod, running);
    await report('Using prod', () => use(prod, productive));
    await report('Destroying dev', () => cdk(assembly, 'destroy', '--all', '--force'));
    for (const line of await left()) console.log(`left   ${line}`);
    console.log('ok     both stages were deployed and used, dev was updated, rolled back and destroyed');
  } finally {
    end();
    await emulator?.stop();
    removeHandlers();
    process.off('exit', remove);
    remove();
  }
}

/** The assembly of a stage, as it would be deployed. */
async function copyOf(stage: string, folder: string, stages?: string): Promise<string> {
  const { assembly } = await templatesOf({ stage, ...(stages === undefined ? {} : { stages }) });
  cpSync(assembly, folder, { recursive: true });
  return folder;
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

const deploy = (assembly: string) => cdk(assembly, 'deploy', '--all', '--require-approval', 'never');

/** Runs a command for ops with the stack. @throws OpsError with what it says */
async function ops(stack: string, ...args: string[]): Promise<string> {
  const file = join(root, 'infra', 'ops', 'ops.ts');
  const { status, stdout, stderr } = await runNode([file, ...args, '--stack', stack], { cwd: root });
  if (status !== 0) throw new OpsError(`${args.join(' ')} fails: ${stderr}`);
  return stdout;
}

/** A client with a new key of a new account. */
async function clientOf(stack: string, { endpoint }: Emulator): Promise<Client> {
  const named = ['--account', 'acme', '--name', 'rehearsal'];
  const made = await ops(stack, 'keys', 'create', ...named, '--full-access', '--expires', 'never', '--json');
  const [key] = /pak_\w+/.exec(made) as RegExpExecArray;
  const api = (await outputsOf(stack)).get('RestApiId');
  return { url: `${endpoint}/_aws/execute-api/${api}/v1`, key };
}

async function use(stack: string, client: Client): Promise<void> {
  const { id } = await tenRequests(client);
  const [found] = await followed(client, '/contacts?tag=vip', 1);
  must('The filter finds another contact', found.id === id, found);
  const changes = await followed(client, '/changes', 2);
  const types = changes.map(({ type }: { type: string }) => type);
  must('The changes are others', types.join() === 'contact.created,contact.updated', types);
  await signedWebhook(client);
  const link = await ops(`${stack}-console`, 'console', '--account', 'acme');
  must('There is no link to the console', link.includes('/console/#code='), link);
}

/** Deploys dev with another memory of a function, and with other code of it. */
async function update(work: string, client: Client): Promise<void> {
  const stages = join(work, 'stages');
  mkdirSync(stages);
  const settings = JSON.parse(readFileSync(join(stagesFolder, 'dev.json'), 'utf8'));
  const functionMemoryMb = { [changedFunction]: changedMemory };
  writeFileSync(join(stages, 'dev.json'), JSON.stringify({ ...settings, functionMemoryMb }));
  const assembly = await copyOf('dev', join(work, 'changed'), stages);
  const before = await configuration();
  changeCode(assembly);
  await deploy(assembly);
  const after = await configuration();
  must('The function has its old memory', after.MemorySize === changedMemory, after);
  must('The function has its old code', after.CodeSha256 !== before.CodeSha256, after);
  await ask(client, '/me', 200);
}

/** Deploys dev with a resource that cannot be made, and with a change that has to be undone. */
async function fail(assembly: string, client: Client): Promise<void> {
  breakTemplate(assembly, 2 * changedMemory);
  const error = await deploy(assembly).then(
    () => undefined,
    (reason: Error) => reason,
  );
  must('A resource that cannot be made is made', error !== undefined, 'Broken');
  const { Stacks = [] } = await new CloudFormationClient({}).send(
    new DescribeStacksCommand({ StackName: dev }),
  );
  must(
    'It is not rolled back',
    Stacks[0]?.StackStatus === 'UPDATE_ROLLBACK_COMPLETE',
    Stacks[0]?.StackStatus,
  );
  const { MemorySize } = await configuration();
  must('A change is not undone', MemorySize === changedMemory, MemorySize);
  await ask(client, '/me', 200);
}

async function configuration() {
  const lambda = new LambdaClient({});
  const { Functions = [] } = await lambda.send(new ListFunctionsCommand({ MaxItems: 500 }));
  const named = Functions.find(({ FunctionName = '' }) =>
    FunctionName.startsWith(`${dev}-Api${changedFunction}`),
  );
  return lambda.send(new GetFunctionConfigurationCommand({ FunctionName: named?.FunctionName }));
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
