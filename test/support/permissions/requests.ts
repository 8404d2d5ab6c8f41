import { readStatement, type Statement } from '../faults/statements.ts';
import type { Access } from './access.ts';

/** The parts of a request to AWS that name the action and its resources. */
export interface AwsRequest {
  /** As the signature names it: `dynamodb`. */
  service: string;
  /** As the protocol names it: `TransactWriteItems`. */
  operation: string;
  body: string;
}

type RequestedAccess = Omit<Access, 'functionId'>;
type Part = Record<string, { TableName: string }>;

interface DynamodbInput {
  TableName?: string;
  IndexName?: string;
  /** Of a transaction. */
  TransactItems?: Part[];
  /** Of a batch, by table. */
  RequestItems?: Record<string, unknown>;
  /** Of a batch of PartiQL. */
  Statements?: Statement[];
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html */
const partActions: Record<string, string> = {
  ConditionCheck: 'dynamodb:ConditionCheckItem',
  Delete: 'dynamodb:DeleteItem',
  Get: 'dynamodb:GetItem',
  Put: 'dynamodb:PutItem',
  Update: 'dynamodb:UpdateItem',
};

/** What a role must allow for a request: for a transaction its parts, for a batch each of its tables or statements. */
export function accessesOf({ service, operation, body }: AwsRequest): RequestedAccess[] {
  if (service === 'dynamodb') return ofDynamodb(operation, JSON.parse(body) as DynamodbInput);
  if (service === 'sqs') return [ofSqs(operation, JSON.parse(body) as { QueueUrl?: string })];
  if (service === 'apigateway') return [ofApiGateway(operation)];
  return [
    {
      action: `${service}:${operation}`,
      resource: 'a resource that test/support/permissions/requests.ts cannot name',
    },
  ];
}

function ofDynamodb(operation: string, input: DynamodbInput): RequestedAccess[] {
  const { TableName = '*', IndexName, TransactItems, RequestItems, Statements } = input;
  const action = `dynamodb:${operation}`;
  if (TransactItems)
    return TransactItems.flatMap((part) =>
      Object.entries(part).map(([kind, { TableName }]) => ({
        action: partActions[kind] ?? `dynamodb:${kind}`,
        resource: tableOf(TableName),
      })),
    );
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-iam.html
  if (Statements)
    return Statements.map(readStatement).map(({ kind, table }) => ({
      action: `dynamodb:PartiQL${kind}`,
      resource: tableOf(table),
    }));
  if (RequestItems) return Object.keys(RequestItems).map((table) => ({ action, resource: tableOf(table) }));
  const table = tableOf(TableName);
  return [{ action, resource: IndexName === undefined ? table : `${table}/index/${IndexName}` }];
}

/** The name of a table is its logical id. The tables of `openOwnStack` also have a suffix. */
const tableOf = (name: string): string => name.split('-')[0] as string;

/** What of a stage is meant by a path or an ARN: a policy names the stage by its logical id, and a request by its name. */
export const partOfStage = (path: string): string => path.split('/').slice(-2).join('/');

/** Its actions are the methods of HTTP. https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonapigatewaymanagement.html */
function ofApiGateway(operation: string): RequestedAccess {
  const [method, path] = operation.split(' ') as [string, string];
  return { action: `apigateway:${method}`, resource: partOfStage(path) };
}

/** SQS has no separate permission for batches. */
const ofSqs = (operation: string, { QueueUrl = '*' }: { QueueUrl?: string }): RequestedAccess => ({
  action: `sqs:${operation.replace(/Batch$/, '')}`,
  resource: QueueUrl.split('/').at(-1) as string,
});
