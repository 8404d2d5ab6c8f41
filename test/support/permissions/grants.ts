import {
  type Json,
  type JsonObject,
  type Lookup,
  resolve,
} from '../../../infra/local/template/intrinsics.ts';
import type { Stacks } from '../stack/synth.ts';
import { type Access, functionIdOf } from './access.ts';
import { partOfStage } from './requests.ts';

interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: string | string[];
}

interface RoleProperties {
  Policies?: { PolicyDocument: { Statement: Statement[] } }[];
}

/** What the role of each function of a template allows. @throws Error when a statement is not one that allows actions on resources */
export function grantsOf(template: Stacks): Access[] {
  const resolved = resolver(template);
  const roles = new Map(
    template
      .ofType('AWS::IAM::Role')
      .map(([id, { Properties }]) => [id, resolved(Properties) as unknown as RoleProperties]),
  );
  return template.ofType('AWS::Lambda::Function').flatMap(([id, { Properties }]) => {
    const role = resolved(Properties).Role as string;
    return (roles.get(role)?.Policies ?? [])
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
      .flatMap(accessesIn)
      .map((access) => ({ functionId: functionIdOf(id), ...access }));
  });
}

function accessesIn(statement: Statement): Omit<Access, 'functionId'>[] {
  const { Effect, Action, Resource } = statement;
  // A Deny grants nothing. test/infra/stacks/signingSecrets.test.ts checks it.
  if (Effect === 'Deny') return [];
  if (Effect !== 'Allow' || !Action || !Resource)
    throw new Error(
      `Only "Allow" with actions and resources is understood, not ${JSON.stringify(statement)}`,
    );
  return [Action].flat().flatMap((action) =>
    [Resource].flat().map((resource) => ({
      action,
      resource: action.startsWith('apigateway:') ? partOfStage(resource) : resource,
    })),
  );
}

/** https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html */
const ofQueue = ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'];

/** https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-eventsourcemapping.html */
const ofStream = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'];

/**
 * The actions of Lambda for an event source mapping, with the role of the function. Our code does not request them, so
 * no test sees them.
 */
export function mappingNeedsOf(template: Stacks): Access[] {
  const resolved = resolver(template);
  return template.ofType('AWS::Lambda::EventSourceMapping').flatMap(([, { Properties }]) => {
    const { FunctionName, EventSourceArn, DestinationConfig } = resolved(Properties) as unknown as Mapping;
    const needs = (actions: string[], resource: string) =>
      actions.map((action) => ({ functionId: functionIdOf(FunctionName), action, resource }));
    const bucket = DestinationConfig?.OnFailure.Destination;
    return [
      ...(EventSourceArn.endsWith('.StreamArn')
        ? [...needs(ofStream, EventSourceArn), ...needs(['dynamodb:ListStreams'], '*')]
        : needs(ofQueue, EventSourceArn)),
      // https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
      ...(bucket ? [...needs(['s3:ListBucket'], bucket), ...needs(['s3:PutObject'], `${bucket}/*`)] : []),
    ];
  });
}

interface Mapping {
  FunctionName: string;
  EventSourceArn: string;
  DestinationConfig?: { OnFailure: { Destination: string } };
}

/** Gives the properties of a resource with logical ids in the place of ARNs. */
function resolver({ outputs }: Stacks): (properties: JsonObject) => JsonObject {
  const lookup: Lookup = {
    ref: (name) => name,
    attribute: (id, name) => (name === 'Arn' ? id : `${id}.${name}`),
    // The name of an export consists of its stack and its output.
    imported: (name) => outputs[name.split(':').at(-1) as string] as Json | undefined,
    secret: (id) => id,
  };
  return (properties) => resolve(properties, lookup) as JsonObject;
}
