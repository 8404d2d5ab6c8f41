import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Method } from '../gateway/model.ts';
import { awsEnvironment, type Resource, type Template } from '../template/template.ts';
import { batchesAtOnce } from './eventSources.ts';
import { functionArn, Lambda, type LambdaSettings, type LineSink } from './lambda.ts';

/** The endpoints of the services that functions use, and the addresses of the local stack. */
interface Endpoints {
  database: string;
  queues: string;
  /** The AWS control API, and the session token that it requires. */
  control: { endpoint: string; token: string };
  api: string;
  /** The URL of the console's page, with a slash at the end. */
  console: string;
}

/** The variables that differ from the template on one machine, for the functions that have them there. */
const localVariables = ({ api, console }: Endpoints): Record<string, string> => ({
  API_URL: api,
  CONSOLE_URL: console,
  CONSOLE_REFERENCE_URL: new URL('/docs/', api).href,
  // Keys of the local stack begin with pak_test_.
  KEY_ENVIRONMENT: 'test',
});

export function templateVariables(template: Template, functionId: string): Record<string, string> {
  const found = template.resources('AWS::Lambda::Function').find(({ id }) => id === functionId) as Resource;
  return (found.properties as unknown as Properties).Environment?.Variables ?? {};
}

export const logGroupsOfFunctions = (template: Template): Map<string, string> =>
  new Map(
    template
      .resources('AWS::Lambda::Function')
      .map(({ id, properties }) => [id, (properties as unknown as Properties).LoggingConfig.LogGroup]),
  );

/** The maximum number of environments for concurrent requests. On AWS, each request has its own, but more would only slow down a laptop. */
const requestsAtOnce = 8;

/**
 * How long a request waits for a busy environment, at least, before another one starts. Requests need the CPU for a few milliseconds each. A
 * second environment does not make that quicker, and two that create contacts in one account compete for the same item.
 */
const requestWaitMs = 1000;

/**
 * Starts the Lambdas of the template. @returns them by logical id
 * @param methods the methods of the REST APIs
 * @param deployed resolves when functions may run
 */
export function startLambdas(
  template: Template,
  methods: readonly Pick<Method, 'functionId' | 'burst'>[],
  endpoints: Endpoints,
  sink: LineSink,
  deployed?: Promise<void>,
): Map<string, Lambda> {
  const bursts = new Map(methods.map(({ functionId, burst }) => [functionId, burst]));
  return new Map(
    template.resources('AWS::Lambda::Function').map((resource) => {
      const { Code, Handler, MemorySize, Timeout } = resource.properties as unknown as Properties;
      const settings = {
        folder: template.codeFolder(Code.S3Key),
        handler: Handler,
        functionName: resource.id,
        functionArn: functionArn(resource.id),
        memoryMb: MemorySize,
        timeoutMs: Timeout * 1000,
        ...concurrencyOf(mappingsOf(template, resource.id), bursts.get(resource.id)),
        codeCache: template.codeCache,
        variables: variablesOf(resource, endpoints),
      };
      return [resource.id, new Lambda(settings, sink, deployed)];
    }),
  );
}

interface Properties {
  Code: { S3Key: string };
  Environment?: { Variables: Record<string, string> };
  Handler: string;
  LoggingConfig: { LogGroup: string };
  MemorySize: number;
  Timeout: number;
}

const mappingsOf = (template: Template, functionId: string): Resource[] =>
  template
    .resources('AWS::Lambda::EventSourceMapping')
    .filter(({ properties }) => properties.FunctionName === functionId);

/**
 * Returns how many environments a function needs. Each concurrent batch of its event sources needs one, because slow batches of one queue would
 * otherwise delay those of another until their messages become visible again. If a method has a burst limit, each request of a burst needs one
 * as well, because its function mostly waits for webhook receivers, and needs little CPU time.
 */
function concurrencyOf(
  mappings: readonly Resource[],
  burst?: number,
): Pick<LambdaSettings, 'environmentsMax' | 'waitMs'> {
  const batches = mappings.reduce((sum, mapping) => sum + batchesAtOnce(mapping), 0);
  const mayWait = batches > 0 || burst !== undefined;
  return {
    environmentsMax: batches + (burst ?? requestsAtOnce),
    waitMs: mayWait ? 0 : requestWaitMs,
  };
}

/** Returns the variables of the template, those that Lambda sets, and the endpoints. The environment of this process is not passed on. */
function variablesOf({ id, properties }: Resource, endpoints: Endpoints): Record<string, string> {
  const { Environment, Handler, MemorySize } = properties as unknown as Properties;
  const ofTemplate = Environment?.Variables ?? {};
  const replaced = Object.entries(localVariables(endpoints)).filter(([name]) => name in ofTemplate);
  return {
    ...ofTemplate,
    ...Object.fromEntries(replaced),
    // Each function signs with its name as the access key, so that tests can see which function sent a request.
    AWS_ACCESS_KEY_ID: id,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_REGION: awsEnvironment.region,
    AWS_DEFAULT_REGION: awsEnvironment.region,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.database,
    AWS_ENDPOINT_URL_SQS: endpoints.queues,
    // Only for the function that flushes the authorizer's cache, because the token lets its owner invoke every function.
    ...('REST_API_ID' in ofTemplate
      ? {
          AWS_ENDPOINT_URL_API_GATEWAY: endpoints.control.endpoint,
          AWS_SESSION_TOKEN: endpoints.control.token,
        }
      : {}),
    AWS_LAMBDA_FUNCTION_NAME: id,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MemorySize),
    _HANDLER: Handler,
    // Allows receivers of webhooks on this machine. Deployed functions never have this variable.
    ALLOW_LOOPBACK_RECEIVERS: '1',
    TZ: ':UTC',
  };
}

/**
 * Empties the file and opens it. A later write error, such as a full disk, loses lines but stops nothing. @throws if the file cannot be written
 * to
 */
export async function openLambdaLog(file: string) {
  const stream = createWriteStream(file);
  await once(stream, 'open');
  stream.on('error', ({ message }) => console.error(`The log of the Lambdas cannot be written: ${message}`));
  return {
    write: (line: string) => void stream.write(`${line}\n`),
    close: () => new Promise<void>((resolve) => stream.end(() => resolve())),
  };
}
