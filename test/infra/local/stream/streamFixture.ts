import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { type Database, openDatabase } from '../../../../infra/local/database/localDatabase.ts';
import { openTables } from '../../../../infra/local/database/openTables.ts';
import { startEventSources } from '../../../../infra/local/lambda/eventSources.ts';
import { Checkpoints } from '../../../../infra/local/stream/checkpoints.ts';
import type { JsonObject } from '../../../../infra/local/template/intrinsics.ts';
import { awsEnvironment, type Resource } from '../../../../infra/local/template/template.ts';

/** The embedded database with a table whose stream can be read. */
export interface Streamed {
  database: Database;
  checkpoints: Checkpoints;
  put(sk: string): Promise<void>;
  /** Starts a mapping that invokes a function with the changes of the table. @returns stops it */
  begin(
    invoke: (event: DynamoDBStreamEvent) => Promise<unknown>,
    properties?: JsonObject,
  ): Promise<() => Promise<void>>;
  /** Starts a mapping for each function, with the name of the function. @returns stops all */
  beginEach(
    functions: Record<string, (event: DynamoDBStreamEvent) => Promise<unknown>>,
    properties?: JsonObject,
  ): Promise<() => Promise<void>>;
  end(): Promise<void>;
}

const arn = (id: string) =>
  `arn:${awsEnvironment.partition}:local:${awsEnvironment.region}:${awsEnvironment.account}:${id}`;

export const table: Resource = {
  id: 'Records',
  type: 'AWS::DynamoDB::GlobalTable',
  properties: {
    AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
  },
};

export const mapping: Resource = {
  id: 'Changes',
  type: 'AWS::Lambda::EventSourceMapping',
  properties: {
    EventSourceArn: `${arn('Records')}/stream`,
    FunctionName: 'Function',
    StartingPosition: 'TRIM_HORIZON',
    DestinationConfig: { OnFailure: { Destination: `arn:${awsEnvironment.partition}:s3:::Failed` } },
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    BisectBatchOnFunctionError: true,
  },
};

export async function openStreamed(folder: string): Promise<Streamed> {
  const database = await openDatabase(folder);
  await openTables(database.endpoint, [table]);
  const checkpoints = new Checkpoints(folder);
  const client = new DynamoDBClient({
    endpoint: database.endpoint,
    region: 'local-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  });
  const keyOf = (sk: string) => ({ pk: { S: 'a' }, sk: { S: sk } });
  const beginEach: Streamed['beginEach'] = (functions, properties = {}) =>
    startEventSources(
      Object.keys(functions).map((FunctionName) => ({
        ...mapping,
        id: FunctionName === 'Function' ? mapping.id : `${mapping.id}Of${FunctionName}`,
        properties: { ...mapping.properties, FunctionName, ...properties },
      })),
      {
        queuesEndpoint: '',
        databaseEndpoint: database.endpoint,
        folder,
        checkpoints,
        lambdas: new Map(
          Object.entries(functions).map(([name, invoke]) => [
            name,
            {
              invoke: async (event) => JSON.stringify((await invoke(event as DynamoDBStreamEvent)) ?? null),
            },
          ]),
        ),
      },
    );
  return {
    database,
    checkpoints,
    put: async (sk) => {
      await client.send(new PutItemCommand({ TableName: table.id, Item: keyOf(sk) }));
    },
    begin: (invoke, properties) => beginEach({ Function: invoke }, properties),
    beginEach,
    end: async () => {
      client.destroy();
      await database.stop();
    },
  };
}

/** The sort keys of the changes in an event. */
export const keysIn = ({ Records }: DynamoDBStreamEvent): string[] =>
  Records.map(({ dynamodb }) => dynamodb?.Keys?.sk?.S as string);
