import type { Method } from '../gateway/model.ts';
import { awsEnvironment, type Resource, type Template } from '../template/template.ts';
import { batchesAtOnce } from './eventSources.ts';
import { functionArn, Lambda, type LineSink } from './lambda.ts';

/** Where functions find the services that they use. */
interface Endpoints {
  database: string;
  queues: string;
}

/** The variables that the template gives a function. */
export function templateVariables(template: Template, functionId: string): Record<string, string> {
  const found = template.resources('AWS::Lambda::Function').find(({ id }) => id === functionId) as Resource;
  return (found.properties as unknown as Properties).Environment?.Variables ?? {};
}

/** On AWS a function has as many environments as requests at once. A laptop would only be slower with more that work. */
const requestsAtOnce = 8;

/**
 * Every Lambda of the template with its own bundle, environment, time and memory, by its logical id.
 * @param methods those of the REST API
 */
export function startLambdas(
  template: Template,
  methods: readonly Pick<Method, 'functionId' | 'burst'>[],
  endpoints: Endpoints,
  sink: LineSink,
): Map<string, Lambda> {
  const bursts = new Map(methods.map(({ functionId, burst }) => [functionId, burst]));
  return new Map(
    template.resources('AWS::Lambda::Function').map((resource) => {
      const { Code, Handler, MemorySize, RecursiveLoop, Timeout } =
        resource.properties as unknown as Properties;
      const settings = {
        folder: template.codeFolder(Code.S3Key),
        handler: Handler,
        functionName: resource.id,
        functionArn: functionArn(resource.id),
        memoryMb: MemorySize,
        timeoutMs: Timeout * 1000,
        environmentsMax: environmentsMaxOf(template, resource, bursts.get(resource.id)),
        mayRecur: RecursiveLoop === 'Allow',
        variables: variablesOf(resource, endpoints),
      };
      return [resource.id, new Lambda(settings, sink)];
    }),
  );
}

interface Properties {
  Code: { S3Key: string };
  Environment?: { Variables: Record<string, string> };
  Handler: string;
  MemorySize: number;
  RecursiveLoop?: 'Allow' | 'Terminate';
  Timeout: number;
}

/**
 * One for each batch that its event sources may have under way: otherwise the slow batches of one queue would keep
 * those of another waiting, until their messages come a second time. And one for each request of a burst, where the method has a
 * limit for those: its function waits for others, such as receivers of webhooks, and does not slow anybody down.
 */
const environmentsMaxOf = (template: Template, { id }: Resource, burst = requestsAtOnce): number =>
  template
    .resources('AWS::Lambda::EventSourceMapping')
    .filter(({ properties }) => properties.FunctionName === id)
    .reduce((sum, mapping) => sum + batchesAtOnce(mapping), burst);

/** What the template gives, what Lambda adds, and where the services are. Nothing of our own environment gets through. */
function variablesOf({ id, properties }: Resource, endpoints: Endpoints): Record<string, string> {
  const { Environment, Handler, MemorySize } = properties as unknown as Properties;
  return {
    ...Environment?.Variables,
    // The database sees who calls: each function signs with a key that is its name.
    AWS_ACCESS_KEY_ID: id,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_REGION: awsEnvironment.region,
    AWS_DEFAULT_REGION: awsEnvironment.region,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.database,
    AWS_ENDPOINT_URL_SQS: endpoints.queues,
    AWS_LAMBDA_FUNCTION_NAME: id,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MemorySize),
    _HANDLER: Handler,
    // Whoever tries webhooks on one machine receives them there. A deployed function never gets this.
    ALLOW_LOOPBACK_RECEIVERS: '1',
    TZ: ':UTC',
  };
}
