import type { CfnResource, CfnTemplate, Json } from './templates.ts';

/** A limit of AWS that is not adjustable. */
interface Limit {
  what: string;
  max: number;
  /** The amount that each user of the limit takes. */
  used: (template: CfnTemplate) => (readonly [of: string, amount: number])[];
}

/** The assumed value of what is known only at deployment, such as the URL of a queue. */
const unknown = 'x'.repeat(160);

/** A value with its references replaced by long strings, to measure its length. */
function resolved(value: Json): Json {
  if (Array.isArray(value)) return value.map(resolved);
  if (value === null || typeof value !== 'object') return value;
  const [[name, inner] = ['', null]] = Object.entries(value);
  if (name === 'Fn::Join')
    return (inner as [string, Json[]])[1].map((part) => String(resolved(part))).join('');
  if (/^(Ref|Condition|Fn::\w+)$/.test(name) && typeof inner !== 'object') return unknown;
  if (/^Fn::\w+$/.test(name)) return unknown;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, resolved(part)]));
}

const lengthOf = (value: Json): number => JSON.stringify(resolved(value)).length;

const ofType = ({ Resources }: CfnTemplate, type: RegExp): [string, CfnResource][] =>
  Object.entries(Resources).filter(([, { Type }]) => type.test(Type));

/** The amount of a property, for each resource of a type that has the property. */
const each =
  (type: RegExp, property: string, amount: (value: Json) => number): Limit['used'] =>
  (template) =>
    ofType(template, type).flatMap(([id, { Properties = {} }]) => {
      const value = Properties[property];
      return value === undefined ? [] : [[`${id}.${property}`, amount(value)] as const];
    });

/** Of all policies in a role together. */
const inlineLength = (policies: Json): number =>
  (policies as { PolicyDocument: Json }[]).reduce((sum, one) => sum + lengthOf(one.PolicyDocument), 0);

const countOf = (value: Json): number => (value as Json[]).length;

/** The sum over all resources of a type that belong to the same other resource. */
const summed =
  (
    type: RegExp,
    about: (properties: Record<string, Json>) => Json[],
    amount: (properties: Record<string, Json>) => number,
  ): Limit['used'] =>
  (template) => {
    const sums = new Map<string, number>();
    for (const [, { Properties = {} }] of ofType(template, type))
      for (const one of about(Properties).map((value) => JSON.stringify(value)))
        sums.set(one, (sums.get(one) ?? 0) + amount(Properties));
    return [...sums];
  };

/** The limit for names in the template. Names that CloudFormation generates are always short enough. */
const nameLimit = (type: RegExp, property: string, max: number): Limit => ({
  what: `characters of a name`,
  max,
  used: each(type, property, (value) => String(resolved(value)).length),
});

// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
const ofCloudFormation: Limit[] = [
  { what: 'resources', max: 500, used: (t) => [['the template', Object.keys(t.Resources).length]] },
  { what: 'outputs', max: 200, used: (t) => [['the template', Object.keys(t.Outputs ?? {}).length]] },
  { what: 'parameters', max: 200, used: (t) => [['the template', Object.keys(t.Parameters ?? {}).length]] },
  // The CLI uploads templates with an indentation of one space.
  {
    what: 'bytes',
    max: 1_000_000,
    used: (t) => [['the template', Buffer.byteLength(JSON.stringify(t, null, 1))]],
  },
  {
    what: 'characters of a logical id',
    max: 255,
    used: (t) => Object.keys(t.Resources).map((id) => [id, id.length]),
  },
];

// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
// https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
const ofFunctions: Limit[] = [
  nameLimit(/^AWS::Lambda::Function$/, 'FunctionName', 64),
  nameLimit(/^AWS::IAM::Role$/, 'RoleName', 64),
  {
    what: 'characters of environment variables',
    max: 4096,
    used: each(/^AWS::Lambda::Function$/, 'Environment', (value) =>
      lengthOf((value as { Variables: Json }).Variables),
    ),
  },
  { what: 'seconds', max: 900, used: each(/^AWS::Lambda::Function$/, 'Timeout', Number) },
  {
    what: 'characters of description',
    max: 256,
    used: each(/^AWS::Lambda::Function$/, 'Description', lengthOf),
  },
  {
    what: 'characters of inline policies of a role',
    max: 10_240,
    used: (template) => [
      ...each(/^AWS::IAM::Role$/, 'Policies', inlineLength)(template),
      ...summed(
        /^AWS::IAM::Policy$/,
        ({ Roles = [] }) => Roles as Json[],
        ({ PolicyDocument = null }) => lengthOf(PolicyDocument),
      )(template),
    ],
  },
  {
    what: 'characters of a trust policy',
    max: 2048,
    used: each(/^AWS::IAM::Role$/, 'AssumeRolePolicyDocument', lengthOf),
  },
  // A statement takes about 400 characters in addition to its values.
  {
    what: 'characters of the policy of a function',
    max: 20_480,
    used: summed(
      /^AWS::Lambda::Permission$/,
      ({ FunctionName = null }) => [FunctionName],
      (properties) => 400 + lengthOf(properties),
    ),
  },
];

// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html
const ofOthers: Limit[] = [
  nameLimit(/^AWS::CloudWatch::Alarm$/, 'AlarmName', 255),
  nameLimit(/^AWS::CloudWatch::Dashboard$/, 'DashboardName', 255),
  {
    what: 'resources of an API',
    max: 300,
    used: (t) => [['the API', ofType(t, /^AWS::ApiGateway::Resource$/).length]],
  },
  {
    what: 'authorizers of an API',
    max: 10,
    used: (t) => [['the API', ofType(t, /^AWS::ApiGateway::Authorizer$/).length]],
  },
  {
    what: 'bytes of the format of the access log',
    max: 3072,
    used: each(/^AWS::ApiGateway::Stage$/, 'AccessLogSetting', (value) =>
      lengthOf((value as { Format: Json }).Format),
    ),
  },
  { what: 'metrics of an alarm', max: 10, used: each(/^AWS::CloudWatch::Alarm$/, 'Metrics', countOf) },
  {
    what: 'characters of description',
    max: 1024,
    used: each(/^AWS::CloudWatch::Alarm$/, 'AlarmDescription', lengthOf),
  },
  {
    what: 'bytes of the policy of a queue',
    max: 8192,
    used: each(/^AWS::SQS::QueuePolicy$/, 'PolicyDocument', lengthOf),
  },
  {
    what: 'bytes of the policy of a bucket',
    max: 20_480,
    used: each(/^AWS::S3::BucketPolicy$/, 'PolicyDocument', lengthOf),
  },
  { what: 'bytes of the policy of a key', max: 32_768, used: each(/^AWS::KMS::Key$/, 'KeyPolicy', lengthOf) },
  {
    what: 'alarms of a deployment group',
    max: 10,
    used: each(/^AWS::CodeDeploy::DeploymentGroup$/, 'AlarmConfiguration', (value) =>
      countOf((value as { Alarms: Json[] }).Alarms),
    ),
  },
];

/** A sentence for each limit of AWS that the template exceeds. */
export const overLimits = (template: CfnTemplate): string[] =>
  [...ofCloudFormation, ...ofFunctions, ...ofOthers].flatMap(({ what, max, used }) =>
    used(template)
      .filter(([, amount]) => !(amount <= max))
      .map(([of, amount]) => `${of} has ${amount} ${what}; the limit is ${max}`),
  );
