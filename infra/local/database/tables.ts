import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  type StreamViewType,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
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

/** Makes the tables of the template that do not exist yet. */
export async function openTables(endpoint: string, resources: readonly Resource[]): Promise<LocalTable[]> {
  const client = new DynamoDBClient({
    endpoint,
    region: 'local-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  try {
    return await Promise.all(resources.map((resource) => openTable(client, resource)));
  } finally {
    client.destroy();
  }
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
    await client.send(new DescribeTableCommand({ TableName }));
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
