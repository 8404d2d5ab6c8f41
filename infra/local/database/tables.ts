import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  DynamoDBServiceException,
  ResourceNotFoundException,
  type StreamViewType,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { StartError } from '../process/startError.ts';
import type { Resource } from '../template/template.ts';

interface Properties {
  AttributeDefinitions: CreateTableCommandInput['AttributeDefinitions'];
  KeySchema: CreateTableCommandInput['KeySchema'];
  GlobalSecondaryIndexes?: NonNullable<CreateTableCommandInput['GlobalSecondaryIndexes']>;
  StreamSpecification?: { StreamViewType: StreamViewType };
  TimeToLiveSpecification?: { AttributeName: string; Enabled: boolean };
}

/** What other parts of the local stack need of a table. */
export interface LocalTable {
  name: string;
  /** The attribute with the time to live, if the table has one. */
  timeToLive: string | undefined;
}

const propertiesOf = ({ properties }: Resource): Properties => properties as unknown as Properties;

/**
 * Makes the tables of the template that do not exist yet.
 * @throws StartError when the server at the endpoint does not answer as DynamoDB does
 */
export async function openTables(endpoint: string, resources: readonly Resource[]): Promise<LocalTable[]> {
  const client = new DynamoDBClient({
    endpoint,
    region: 'local-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    // The server that DYNAMODB_ENDPOINT names may accept requests and never answer. A second try would only delay the message.
    maxAttempts: 1,
    requestHandler: { requestTimeout: 5000, throwOnRequestTimeout: true },
  });
  try {
    return await Promise.all(resources.map((resource) => openTable(client, resource)));
  } catch (error) {
    const reason = isAnswerOfDynamoDb(error)
      ? (error as Error).message.split('\n')[0]
      : 'what answers there is not DynamoDB';
    throw new StartError(`The database at ${endpoint} cannot be used: ${reason}`);
  } finally {
    client.destroy();
  }
}

/** False for an answer that is not in DynamoDB's format. True for errors without an answer, such as a timeout, too. */
function isAnswerOfDynamoDb(error: unknown): boolean {
  if (error instanceof OtherServerError) return false;
  const { $metadata, name } = error as Partial<DynamoDBServiceException>;
  const isAnswer = $metadata?.httpStatusCode !== undefined;
  return !isAnswer || (error instanceof DynamoDBServiceException && name !== 'Unknown');
}

/** A successful answer without the content that DynamoDB gives. */
class OtherServerError extends Error {
  override name = 'OtherServerError';
}

async function openTable(client: DynamoDBClient, resource: Resource): Promise<LocalTable> {
  const TableName = resource.id;
  const { TimeToLiveSpecification } = propertiesOf(resource);
  if (!(await exists(client, TableName))) {
    await client.send(new CreateTableCommand(creation(TableName, propertiesOf(resource))));
    if (TimeToLiveSpecification)
      await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  }
  return { name: TableName, timeToLive: TimeToLiveSpecification?.AttributeName };
}

async function exists(client: DynamoDBClient, TableName: string): Promise<boolean> {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    if (Table?.TableName !== TableName) throw new OtherServerError();
    return true;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    throw error;
  }
}

const streamOf = ({ StreamSpecification }: Properties) =>
  StreamSpecification && { StreamEnabled: true, ...StreamSpecification };

const creation = (TableName: string, properties: Properties): CreateTableCommandInput => ({
  TableName,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: properties.AttributeDefinitions,
  KeySchema: properties.KeySchema,
  ...(properties.GlobalSecondaryIndexes ? { GlobalSecondaryIndexes: properties.GlobalSecondaryIndexes } : {}),
  StreamSpecification: streamOf(properties),
});
