import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pagePath } from '../pages/paths.ts';
import { readOutputs } from '../stacks/outputs.ts';
import type { ReportProgress } from '../terminal/progress.ts';
import { startMaintenance } from './database/databaseMaintenance.ts';
import { openDatabase } from './database/localDatabase.ts';
import { openTables } from './database/openTables.ts';
import { awsControlApi } from './gateway/awsControlApi.ts';
import { gatewaysOf } from './gateway/gateway.ts';
import { consolePage, referencePage, responseHeadersOf } from './gateway/localPages.ts';
import { type RestApi, readRestApis } from './gateway/model.ts';
import { close, type Listener, listen } from './gateway/server.ts';
import { asyncInvocations } from './lambda/asyncInvocations.ts';
import { startEventSources } from './lambda/eventSources.ts';
import type { LineSink } from './lambda/lambda.ts';
import { logGroupsOfFunctions, openLambdaLog, startLambdas, templateVariables } from './lambda/lambdas.ts';
import { startSchedules } from './lambda/schedules.ts';
import { requestLine } from './logs/accessLog.ts';
import { openLogGroups } from './logs/logGroups.ts';
import { lockDataFolder, queuesFolder } from './process/dataFolder.ts';
import {
  demoFileIn,
  readJson,
  removeStackFile,
  type StackDescription,
  writeStackFile,
} from './process/stackFile.ts';
import { makeQueues, openQueues, queueUrl } from './queue/localQueues.ts';
import { Checkpoints } from './stream/checkpoints.ts';
import { bundleFunctions } from './template/assembly.ts';
import { awsEnvironment, readTemplate } from './template/template.ts';

/** Loads the builder when somebody opens the page, because most starts never need it. The brand shows what a stage can set. */
const buildConsole = async () => {
  const { consolePageFiles } = await import('../pages/consoleFiles.ts');
  const icon = readFileSync(join(import.meta.dirname, '..', 'pages', 'reference', 'icon.svg'));
  return consolePageFiles({
    name: 'Demo Shop',
    logo: `data:image/svg+xml;base64,${icon.toString('base64')}`,
  });
};

export interface LocalStack {
  /** The content of stack.json. */
  description: StackDescription;
  dataFolder: string;
  /** Resolves with the reason if the stack can no longer work. */
  broken: Promise<string>;
  /**
   * Bundles the functions unless they are bundled already, and lets them run. Until then, their work waits, so it does not compete with the
   * rest of the start. From then on, standard error shows a line for each request.
   * @throws StartError if the source of a function does not build
   */
  deploy(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the stack of the project's current template: tables, queues, Lambdas and gateway. The Lambdas run once `deploy` is called.
 * @param assemblyMade the folder of the assembly
 * @throws StartError. The caller must then end the process, which also ends what was already started.
 */
export async function startStack(
  options: { port: number; data: string; fresh: boolean },
  assemblyMade: Promise<string>,
  report: ReportProgress,
): Promise<LocalStack> {
  const data = lockDataFolder(options.data, options);
  // The port comes first, because a port in use is the most common reason for a failed start.
  const api = await openServer(options.port);
  const stores = await openStores(data.path, assemblyMade, report);
  const { template } = stores;
  const apis = readRestApis(template);
  const restApi = apis.find(({ id }) => id === template.output('RestApiId')) as RestApi;
  // Before the functions, because one of them flushes the authorizer's cache there.
  const control = { ...(await openServer(0)), token: randomBytes(32).toString('base64url') };
  const urls = { api: `${api.url}/${restApi.stage}`, console: `${api.url}${pagePath}` };
  const functions = await openFunctions(data.path, stores, apis, { control, ...urls });
  const { lambdas, invocations, logGroups } = functions;
  let showsRequests = false;
  const gateways = gatewaysOf(apis, restApi, lambdas, {
    request: (request) => {
      if (showsRequests) console.error(requestLine(request));
    },
    logged: (group, line) => logGroups.write(group, 'local', line),
  });
  const { flushAuthorizers } = gateways;
  control.answerBy(awsControlApi({ token: control.token, flushAuthorizers, lambdas, invocations }));
  const outputs = readOutputs(template.output);
  const running: StackDescription = {
    ...outputs,
    url: urls.api,
    consoleUrl: urls.console,
    databaseEndpoint: stores.database.endpoint,
    queuesEndpoint: stores.queues.endpoint,
    controlEndpoint: control.url,
    controlToken: control.token,
    region: awsEnvironment.region,
    fanOutVariables: templateVariables(template, outputs.fanOutFunction),
  };
  writeStackFile(data.path, running);
  const demoKey = () => readJson<{ keys: { full: string } }>(demoFileIn(data.path))?.keys.full;
  const servesReference = referencePage(running.url, demoKey);
  const servesConsole = consolePage(responseHeadersOf(template), buildConsole, gateways.handle);
  api.answerBy(
    (request, response) =>
      servesReference(request, response) ??
      servesConsole(request, response) ??
      gateways.handle(request, response),
  );
  return {
    description: running,
    dataFolder: data.path,
    broken: stores.database.broken,
    deploy: async () => {
      await bundleFunctions(stores.assembly, report);
      functions.deployed();
      showsRequests = true;
    },
    stop: async () => {
      removeStackFile(data.path);
      await Promise.all([api.stop(), control.stop()]);
      await functions.stop();
      await stores.stop();
      data.release();
    },
  };
}

/** Opens a server whose requests wait until `answerBy` sets the listener. */
async function openServer(port: number) {
  const ready = Promise.withResolvers<Listener>();
  const { server, url } = await listen(port, async (request, response) =>
    (await ready.promise)(request, response),
  );
  return { url, answerBy: ready.resolve, stop: () => close(server) };
}

type Stores = Awaited<ReturnType<typeof openStores>>;

/** Opens the database and the queues, with the tables and queues of the template. */
async function openStores(folder: string, assemblyMade: Promise<string>, report: ReportProgress) {
  const [assembly, database, queues] = await Promise.all([
    assemblyMade,
    openDatabase(folder, report),
    openQueues(join(folder, queuesFolder)),
  ]);
  const template = readTemplate(assembly, { queueUrl: (id) => queueUrl(queues.endpoint, id) });
  const tables = await report('Making tables and queues', async () => {
    await makeQueues(queues.endpoint, template.resources('AWS::SQS::Queue'));
    return openTables(database.endpoint, template.resources('AWS::DynamoDB::GlobalTable'));
  });
  const checkpoints = new Checkpoints(folder);
  const stopMaintenance = startMaintenance(database, tables, checkpoints);
  const stop = async () => {
    stopMaintenance();
    await queues.stop();
    await database.stop();
  };
  return { assembly, template, database, queues, checkpoints, stop };
}

/** Opens the Lambdas, and everything except the gateway that invokes them. They run once `deployed` is called. */
async function openFunctions(
  folder: string,
  { template, database, queues, checkpoints }: Stores,
  apis: readonly RestApi[],
  { control, ...urls }: { control: { url: string; token: string }; api: string; console: string },
) {
  const log = await openLambdaLog(join(folder, 'lambda.log'));
  const deployed = Promise.withResolvers<void>();
  const sink: LineSink = (name, line) => {
    log.write(line);
    if (!/^\{.*"level":"INFO"/.test(line)) console.error(`${name}: ${line}`);
    const group = logGroupOf.get(name);
    if (group !== undefined && logGroups.has(group)) logGroups.write(group, 'local', line);
  };
  const endpoints = {
    database: database.endpoint,
    queues: queues.endpoint,
    control: { endpoint: control.url, token: control.token },
    ...urls,
  };
  const methods = apis.flatMap((one) => one.methods);
  const lambdas = startLambdas(template, methods, endpoints, sink, deployed.promise);
  const names = new Set(lambdas.keys());
  const invocations = asyncInvocations(template.resources('AWS::Lambda::EventInvokeConfig'), lambdas);
  const logGroupOf = logGroupsOfFunctions(template);
  const logGroups = openLogGroups(template.resources('AWS::Logs::SubscriptionFilter'), names, invocations);
  const stopEventSources = await startEventSources(template.resources('AWS::Lambda::EventSourceMapping'), {
    queuesEndpoint: queues.endpoint,
    databaseEndpoint: database.endpoint,
    folder,
    checkpoints,
    lambdas,
  });
  const stopSchedules = startSchedules(template.resources('AWS::Events::Rule'), names, invocations);
  const stop = async () => {
    stopSchedules();
    logGroups.stop();
    await Promise.all([stopEventSources(), invocations.stop()]);
    await Promise.all([...lambdas.values()].map((lambda) => lambda.stop()));
    await log.close();
  };
  return { lambdas, invocations, logGroups, deployed: deployed.resolve, stop };
}
