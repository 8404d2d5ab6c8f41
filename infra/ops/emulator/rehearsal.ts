import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpsError } from '../../terminal/opsError.ts';
import { progressReporter } from '../../terminal/progress.ts';
import { exitCodeOf, onSignals } from '../../terminal/signals.ts';
import { outputsOf } from '../connection.ts';
import { runNode } from '../nodeProcess.ts';
import { root, templatesOf } from '../synth.ts';
import { type Emulator, installEmulator, startEmulator } from './ministack.ts';
import { type Client, followed, must, signedWebhook, useApi } from './requests.ts';

const dev = 'public-api-dev';

/** Deploys, uses and destroys dev on an emulator of AWS. @throws OpsError at the first result that differs from AWS */
export async function rehearseOnEmulator(): Promise<void> {
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
    const { account, region } = running;
    const { assembly } = await report('Making the templates', () => templatesOf({ stage: 'dev' }));
    await report('Bootstrapping', () => cdk(assembly, 'bootstrap', `aws://${account}/${region}`));
    await report('Deploying dev', () => cdk(assembly, 'deploy', '--all', '--require-approval', 'never'));
    const client = await clientOf(running);
    await report('Using dev', () => use(client));
    await report('Destroying dev', () => cdk(assembly, 'destroy', '--all', '--force'));
    console.log('dev was deployed, used and destroyed.');
  } finally {
    end();
    await emulator?.stop();
    removeHandlers();
    process.off('exit', remove);
    remove();
  }
}

/** @throws OpsError with the last lines of the program's output */
async function run(file: string, ...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await runNode([join(root, file), ...args], { cwd: root });
  const end = `${stdout}${stderr}`.trimEnd().split('\n').slice(-30).join('\n');
  if (status !== 0) throw new OpsError(`${args.join(' ')} fails:\n${end}`);
  return stdout;
}

const cdk = (assembly: string, ...args: string[]): Promise<string> =>
  run('node_modules/aws-cdk/bin/cdk', ...args, '--app', assembly, '--no-notices', '--no-color');

/** Runs an operators' command on dev. */
const ops = (...args: string[]): Promise<string> => run('infra/ops/ops.ts', ...args, '--stack', dev);

/** Returns a client with a new key for a new account. */
async function clientOf({ endpoint }: Emulator): Promise<Client> {
  const named = ['--account', 'acme', '--name', 'rehearsal'];
  const made = await ops('keys', 'create', ...named, '--full-access', '--expires', 'never', '--json');
  const [key] = /pak_\w+/.exec(made) as RegExpExecArray;
  const api = (await outputsOf(dev)).get('RestApiId');
  return { url: `${endpoint}/_aws/execute-api/${api}/v1`, key };
}

async function use(client: Client): Promise<void> {
  const { id } = await useApi(client);
  const [found] = await followed(client, '/contacts?tag=vip');
  must('The filter finds another contact', found.id === id, found);
  await signedWebhook(client);
  const link = await ops('console', '--account', 'acme');
  must('There is no link to the console', link.includes('/console/#code='), link);
}
