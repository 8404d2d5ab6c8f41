import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '../../local/process/freePort.ts';
import { OpsError } from '../../terminal/opsError.ts';
import { runProgram } from '../nodeProcess.ts';
import { root } from '../synth.ts';

const requirements = join(import.meta.dirname, 'requirements.txt');

/** The folder of the Python packages, once they are installed. */
const packages = join(root, 'node_modules', '.cache', 'ministack');

const pythonIn = (folder: string): string => join(folder, 'bin', 'python');

/** The account of the emulator, which is also the id of its access key. */
const account = '111111111111';
const region = 'eu-central-1';

export interface Emulator {
  account: string;
  region: string;
  endpoint: string;
  /** The environment variables for every program that uses the emulator. */
  variables: Record<string, string>;
  stop(): Promise<void>;
}

/** Installs the emulator with the Python in `PYTHON`. @throws OpsError without Python or the package index */
export async function installEmulator(folder = packages): Promise<void> {
  const wanted = readFileSync(requirements, 'utf8');
  const mark = join(folder, 'installed.txt');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  rmSync(folder, { recursive: true, force: true });
  await install(process.env.PYTHON ?? 'python3', '-m', 'venv', folder);
  await install(pythonIn(folder), '-m', 'pip', 'install', '--quiet', '--retries', '1', '-r', requirements);
  writeFileSync(mark, wanted);
}

async function install(program: string, ...args: string[]): Promise<void> {
  const { status, stderr } = await runProgram(program, args, { cwd: root }).catch(({ message }: Error) => ({
    status: null,
    stderr: message,
  }));
  if (status !== 0)
    throw new OpsError(
      `The emulator needs Python 3.10 or newer with venv, which PYTHON can name, and Python's package index: ${stderr.trim()}`,
    );
}

/**
 * Starts the emulator, reachable only from this machine. It ends with this process.
 * @param work an empty folder, for its files and its log
 * @throws OpsError with its log if it does not start
 */
export async function startEmulator(work: string): Promise<Emulator> {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const variables = {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: account,
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_EC2_METADATA_DISABLED: 'true',
    CDK_DISABLE_CLI_TELEMETRY: 'true',
    CI: 'true',
  };
  // Its own process group, because the emulator starts a process for each Lambda.
  const child = spawn(pythonIn(packages), [join(import.meta.dirname, 'start.py')], {
    cwd: work,
    detached: true,
    env: {
      // Its Lambdas run with the Node of this process.
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      TMPDIR: work,
      PYTHONDONTWRITEBYTECODE: '1',
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      AWS_ENDPOINT_URL_SQS: endpoint,
      ALLOW_LOOPBACK_RECEIVERS: '1',
      BIND_HOST: '127.0.0.1',
      MINISTACK_HOST: '127.0.0.1',
      GATEWAY_PORT: `${port}`,
      MINISTACK_ACCOUNT_ID: account,
      MINISTACK_REGION: region,
      LAMBDA_EXECUTOR: 'local',
      LOG_LEVEL: 'WARNING',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = () => {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The emulator has ended by itself.
    }
  };
  process.once('exit', end);
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      log += text;
    });
  while (!(await fetch(`${endpoint}/_ministack/health`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new OpsError(`The emulator does not start:\n${log}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const stop = async () => {
    end();
    await exited;
    process.off('exit', end);
  };
  return { account, region, endpoint, variables, stop };
}
