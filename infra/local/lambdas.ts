import { Lambda, type LineSink } from './lambda.ts';
import { place, type Resource, type Template } from './template.ts';

/** Every Lambda of the template with its own bundle, environment, time and memory, by its logical id. */
export function startLambdas(
  template: Template,
  databaseEndpoint: string,
  sink: LineSink,
): Map<string, Lambda> {
  return new Map(
    template.resources('AWS::Lambda::Function').map((resource) => {
      const { Code, Handler, MemorySize, Timeout } = resource.properties as unknown as Properties;
      const settings = {
        folder: template.codeFolder(Code.S3Key),
        handler: Handler,
        functionName: resource.id,
        functionArn: `arn:${place.partition}:lambda:${place.region}:${place.account}:function:${resource.id}`,
        memoryMb: MemorySize,
        timeoutMs: Timeout * 1000,
        variables: variablesOf(resource, databaseEndpoint),
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
  Timeout: number;
}

/** What the template gives, what Lambda adds, and where the database is. Nothing of our own environment gets through. */
function variablesOf({ id, properties }: Resource, databaseEndpoint: string): Record<string, string> {
  const { Environment, Handler, MemorySize } = properties as unknown as Properties;
  return {
    ...Environment?.Variables,
    // The database sees who calls: each function signs with a key that is its name.
    AWS_ACCESS_KEY_ID: id,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_REGION: place.region,
    AWS_DEFAULT_REGION: place.region,
    AWS_ENDPOINT_URL_DYNAMODB: databaseEndpoint,
    AWS_LAMBDA_FUNCTION_NAME: id,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MemorySize),
    _HANDLER: Handler,
    TZ: ':UTC',
  };
}
