import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  type StreamViewType,
} from '@aws-sdk/client-dynamodb';
import type { Resource } from '../template/template.ts';

interface Properties {
  AttributeDefinitions: CreateTableCommandInput['AttributeDefinitions'];
  KeySchema: CreateTableCommandInput['KeySchema'];
  GlobalSecondaryIndexes?: NonNullable<CreateTableCommandInput['GlobalSecondaryIndexes']>;
  StreamSpecification?: { StreamViewType: StreamViewType };
}

const propertiesOf = ({ properties }: Resource): Properties => properties as unknown as Properties;

/** Creates the template's tables that do not exist yet. @returns their names */
export async function openTables(endpoint: string, resources: readonly Resource[]): Promise<string[]> {
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

async function openTable(client: DynamoDBClient, resource: Resource): Promise<string> {
  const TableName = resource.id;
  if (!(await exists(client, TableName)))
    await client.send(new CreateTableCommand(creation(TableName, propertiesOf(resource))));
  return TableName;
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
