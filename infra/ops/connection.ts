import { join, resolve } from 'node:path';
import { APIGatewayClient, FlushStageAuthorizersCacheCommand } from '@aws-sdk/client-api-gateway';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { Option } from 'commander';
import type { Who } from '../../lib/activity/author.ts';
import { env } from '../../lib/env.ts';
import { failedChangesFolder } from '../local/process/dataFolder.ts';
import { awsControlClientConfig, readStackFile, type StackDescription } from '../local/process/stackFile.ts';
import { ignoreShell } from '../local/shell.ts';
import { staleAnswerSeconds } from '../stacks/api/authorizerSeconds.ts';
import { type OutputName, outputIn } from '../stacks/outputs.ts';
import type { OpsCommand } from '../terminal/command.ts';
import { OpsError } from '../terminal/opsError.ts';
import { awsOperator, localOperator } from './operators.ts';
import { type FailedWork, failedChangesInFolder, failedWorkIn, inBucket } from './redrive/failedWork.ts';
import { defaultData, parseDirectory } from './start/options.ts';

/** The system that a command works on: the deployed stack with this name, or the running local stack. Also whether the command prints JSON. */
export interface Target {
  stack?: string;
  data: string;
  json?: boolean;
}

export interface AccountTarget extends Target {
  account: string;
}

/** The system that a command is connected to. */
export interface Connection {
  local: boolean;
  /** Flushes the gateway's cache of authorizer responses. @returns false without the permission */
  flushAuthorizers(): Promise<boolean>;
  /** Returns who runs the command, to record it with a change. @throws OpsError */
  operator(): Promise<Who>;
  /** How long an authorizer can still respond from an earlier read, in milliseconds. */
  authorizerMs: number;
  /** How long running requests and functions may continue to write, in milliseconds. */
  lateMs: number;
  /** Loads the ID-masking key, which this process needs to create and read ids. */
  useIds(): Promise<void>;
  /** Lets this process send to the outbox. @throws OpsError if the stage has none */
  useOutbox(): void;
  /** Lets this process create links to the console. @throws OpsError if the stage has none */
  useConsole(): Promise<void>;
  failedWork(): FailedWork;
}

export const targetOptions = (command: OpsCommand): OpsCommand =>
  command
    .addOption(
      new Option('--stack <name>', 'work on this deployed stack, not the local one').conflicts('data'),
    )
    .option('--data <directory>', 'the data directory of the local stack', parseDirectory, defaultData)
    .option('--json', 'print JSON');

/** Connects the stores of this process to a system. @throws OpsError */
export async function connect({ stack, data }: Target): Promise<Connection> {
  return stack === undefined ? connectLocal(data) : connectDeployed(stack);
}

/** Returns the local stack that runs with a data directory, ignoring the settings of the shell. @throws OpsError if none does */
export async function runningStack(data: string): Promise<StackDescription> {
  ignoreShell();
  const running = readStackFile(data);
  const reachable = running && (await fetch(running.controlEndpoint).catch(() => undefined));
  if (!running || !reachable)
    throw new OpsError(
      `No local stack runs with the data directory ${resolve(data)}. Start it with "npm start", name the directory of one ` +
        'that runs with --data, or a deployed one with --stack.',
    );
  return running;
}

/** Reads an output of a stack. @throws OpsError if it has none with this name */
type Output = (name: OutputName) => string;

async function connectLocal(data: string): Promise<Connection> {
  const running = await runningStack(data);
  const output: Output = (name) => outputIn(running, name);
  process.env.AWS_ENDPOINT_URL_DYNAMODB = running.databaseEndpoint;
  process.env.AWS_ENDPOINT_URL_SQS = running.queuesEndpoint;
  process.env[env.idKey] = running.fanOutVariables[env.idKey];
  useTables(output);
  const sqs = new SQSClient({ endpoint: running.queuesEndpoint, region: running.region });
  const lambda = awsControlClientConfig(running);
  return {
    local: true,
    flushAuthorizers: () => flush(new APIGatewayClient(lambda), output),
    operator: async () => localOperator(),
    // On one machine, an authorizer responds soon after its read.
    authorizerMs: 300,
    lateMs: 3000,
    useIds: async () => {},
    useOutbox: () => {
      process.env[env.recordsOutbox] = running.recordsOutboxUrl;
    },
    useConsole: async () => {
      process.env[env.consoleUrl] = running.consoleUrl;
    },
    failedWork: () =>
      failedWorkIn(output, { sqs, changes: failedChangesInFolder(join(data, failedChangesFolder)), lambda }),
  };
}

async function connectDeployed(stack: string): Promise<Connection> {
  const outputs = await outputsOf(stack);
  const output = (name: OutputName | 'FailedChangesBucket'): string => {
    const value = outputs.get(name);
    if (!value)
      throw new OpsError(
        `The stack ${stack} has no output ${name}: it is not one of this project's API stacks.`,
      );
    return value;
  };
  useTables(output);
  return {
    local: false,
    flushAuthorizers: () => flush(new APIGatewayClient({}), output),
    operator: awsOperator,
    authorizerMs: staleAnswerSeconds * 1000,
    lateMs: 60_000,
    useIds: async () => {
      process.env[env.idKey] = await idKeyOf(output('FanOutFunction'));
    },
    useOutbox: () => {
      const url = outputs.get('RecordsOutboxUrl');
      if (!url)
        throw new OpsError(`The stack ${stack} has no outbox. The setting "outbox" of its stage makes one.`);
      process.env[env.recordsOutbox] = url;
    },
    useConsole: async () => {
      const url = (await outputsOf(`${stack}-console`)).get('ConsoleUrl');
      if (!url) throw new OpsError(`The stack ${stack}-console is not that of a console.`);
      process.env[env.consoleUrl] = url;
    },
    failedWork: () => {
      const changes = inBucket(new S3Client({}), output('FailedChangesBucket'));
      return failedWorkIn(output, { sqs: new SQSClient({}), changes, lambda: {} });
    },
  };
}

/** Makes this process use the tables of a stack. */
function useTables(output: Output): void {
  process.env[env.keysTable] = output('KeysTable');
  process.env[env.recordsTable] = output('RecordsTable');
  process.env[env.indexTable] = output('IndexTable');
  process.env[env.webhooksTable] = output('WebhooksTable');
  process.env[env.quickDeliveriesQueue] = output('QuickDeliveriesUrl');
  process.env[env.slowDeliveriesQueue] = output('SlowDeliveriesUrl');
  process.env[env.deferredFanOutQueue] = output('DeferredFanOutUrl');
  process.env[env.sessionsTable] = output('SessionsTable');
  process.env[env.activityTable] = output('ActivityTable');
  process.env[env.usageTable] = output('UsageTable');
  process.env[env.activityDays] = output('ActivityDays');
}

/** Reads the outputs of a deployed stack, by name. @throws OpsError if the stack cannot be read */
export async function outputsOf(stack: string): Promise<Map<string, string>> {
  try {
    const { Stacks = [] } = await new CloudFormationClient({}).send(
      new DescribeStacksCommand({ StackName: stack }),
    );
    return new Map(
      Stacks[0]?.Outputs?.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
    );
  } catch (error) {
    throw new OpsError(
      `The stack ${stack} cannot be read: ${(error as Error).message}. It is looked for with the shell's AWS credentials and AWS_REGION.`,
    );
  }
}

/** Reads the key from the function and not from the secret, because the function creates ids with this value. */
async function idKeyOf(FunctionName: string): Promise<string> {
  const command = new GetFunctionConfigurationCommand({ FunctionName });
  const { Environment } = await new LambdaClient({}).send(command);
  return Environment?.Variables?.[env.idKey] ?? '';
}

async function flush(client: APIGatewayClient, output: Output): Promise<boolean> {
  try {
    const api = { restApiId: output('RestApiId'), stageName: output('StageName') };
    await client.send(new FlushStageAuthorizersCacheCommand(api));
    return true;
  } catch {
    return false;
  }
}
