import { StartError } from '../process/startError.ts';
import type { JsonObject } from './intrinsics.ts';

/** The resource types that the local stack emulates. */
export const emulated = [
  'AWS::ApiGateway::Authorizer',
  'AWS::ApiGateway::Deployment',
  'AWS::ApiGateway::GatewayResponse',
  'AWS::ApiGateway::Method',
  'AWS::ApiGateway::Resource',
  'AWS::ApiGateway::RestApi',
  'AWS::ApiGateway::Stage',
  'AWS::CloudFront::ResponseHeadersPolicy',
  'AWS::DynamoDB::GlobalTable',
  'AWS::Events::Rule',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::Logs::SubscriptionFilter',
  'AWS::SQS::Queue',
] as const;

/** The resource types and services that do not affect responses on one machine. */
const ignored = [
  'AWS::ApiGateway::Account',
  'AWS::ApiGateway::BasePathMapping',
  'AWS::ApiGateway::DomainName',
  // infra/local/gateway/localPages.ts serves what the distribution would.
  'AWS::CloudFront::Distribution',
  'AWS::CloudFront::Function',
  'AWS::CloudFront::OriginAccessControl',
  'AWS::Lambda::Alias',
  'AWS::Lambda::LayerVersion',
  'AWS::Lambda::Permission',
  'AWS::Lambda::Version',
  'AWS::Logs::LogGroup',
  'AWS::SQS::QueuePolicy',
];
const ignoredServices = /^AWS::(CloudWatch|CodeDeploy|IAM|KMS|Route53|S3|SNS|SecretsManager|WAFv2)::/;

const knownTypes: readonly string[] = [...emulated, ...ignored];

/** Unknown types are refused, because resources of these types would be missing without any notice. */
export const isKnown = (type: string): boolean => knownTypes.includes(type) || ignoredServices.test(type);

/**
 * Refuses unknown properties, because the local stack would ignore them and AWS would apply them.
 * @param what names the owner of the properties in the error message
 * @throws StartError if there is a property that is not in `known`
 */
export function assertKnownProperties(what: string, properties: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(properties).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new StartError(
      `${what} has properties that the local stack does not know: ${unknown.join(', ')}. Remove them, or add them to infra/local.`,
    );
}
