import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { StartError } from '../process/startError.ts';
import { type Json, type JsonObject, type Lookup, resolve } from './intrinsics.ts';
import { assertKnownProperties, emulated, isKnown } from './resourceTypes.ts';

type EmulatedType = (typeof emulated)[number];

export interface Resource {
  id: string;
  type: EmulatedType;
  properties: JsonObject;
}

interface RawResource {
  stack: string;
  type: string;
  properties: JsonObject;
}

/** All templates of an assembly together, with all references resolved. */
export interface Template {
  resources(type: EmulatedType): Resource[];
  output(name: string): string;
  /** Returns the folder with the bundle of a function, by the S3 key of the code. */
  codeFolder(s3Key: string): string;
  /** A folder for the compiled code of the bundles. It is deleted with the assembly. */
  codeCache: string;
}

/** The parts of ARNs and addresses that depend on where a stack is deployed. */
export const awsEnvironment = {
  region: 'local-1',
  account: '000000000000',
  partition: 'aws',
  urlSuffix: 'localhost',
};

const pseudoParameters: Record<string, string> = {
  'AWS::Region': awsEnvironment.region,
  'AWS::AccountId': awsEnvironment.account,
  'AWS::Partition': awsEnvironment.partition,
  'AWS::URLSuffix': awsEnvironment.urlSuffix,
};

/**
 * Returns the value of `Ref`: the name of a stage, the URL of a queue, the ARN of an alias, and for all other types the logical id, which is
 * also the physical name.
 */
function refOf(id: string, { type, properties }: RawResource, { queueUrl }: Addresses): Json {
  if (type === 'AWS::ApiGateway::Stage') return properties.StageName as string;
  if (type === 'AWS::Lambda::Alias') return aliasArn(id, properties);
  return type === 'AWS::SQS::Queue' ? queueUrl(id) : id;
}

/** The addresses that are known only when the stack runs. */
interface Addresses {
  queueUrl(id: string): string;
}

/** @throws StartError if a template contains a resource type that the local stack does not know */
export function readTemplate(assembly: string, addresses: Addresses): Template {
  const raw = new Map<string, RawResource>();
  const exports = new Map<string, Json>();
  const outputs = new Map<string, Json>();
  // The reference's stack has a CloudFront distribution. The local stack serves the reference itself.
  for (const file of globSync('*.template.json', { cwd: assembly, exclude: ['*-reference.template.json'] })) {
    const stack = basename(file, '.template.json');
    const { Resources = {}, Outputs = {} } = readJson(join(assembly, file)) as Record<
      string,
      Record<string, JsonObject>
    >;
    for (const [id, { Type, Properties }] of runningIn(Resources)) {
      const other = raw.get(id);
      if (other) throw new StartError(`${id} is in two stacks, ${other.stack} and ${stack}; rename one`);
      raw.set(id, {
        stack,
        type: Type as string,
        properties: (Properties ?? {}) as JsonObject,
      });
    }
    for (const [name, { Value, Export }] of Object.entries(Outputs)) {
      outputs.set(name, Value as Json);
      if (Export) exports.set((Export as JsonObject).Name as string, Value as Json);
    }
  }
  assertKnown(raw);
  const lookup: Lookup = {
    ref: (name) => {
      const resource = raw.get(name);
      return pseudoParameters[name] ?? (resource && refOf(name, resource, addresses));
    },
    attribute: (id, name) => attributeOf(id, name, raw.get(id)?.type),
    imported: (name) => exports.get(name),
    secret: (id) => (raw.get(id)?.type === 'AWS::SecretsManager::Secret' ? secretOf(id) : undefined),
  };
  const resolved = new Map<string, Resource>();
  for (const [id, { type, properties }] of raw)
    if ((emulated as readonly string[]).includes(type))
      resolved.set(id, {
        id,
        type: type as EmulatedType,
        properties: resolve(properties, lookup) as JsonObject,
      });
  return {
    resources: (type) => [...resolved.values()].filter((resource) => resource.type === type),
    output: (name) => resolve(outputs.get(name) as Json, lookup) as string,
    codeFolder: (s3Key) => codeFolder(assembly, s3Key),
    codeCache: join(assembly, 'code-cache'),
  };
}

/** Returns all resources except custom resources and their functions, which CloudFormation uses only while it deploys a stack. */
function runningIn(resources: Record<string, JsonObject>): [id: string, resource: JsonObject][] {
  const all = Object.entries(resources);
  const invoked = all.filter(([, { Type }]) => (Type as string).startsWith('Custom::'));
  const tokens = JSON.stringify(invoked.map(([, { Properties }]) => (Properties as JsonObject).ServiceToken));
  return all.filter((one) => !invoked.includes(one) && !tokens.includes(`"${one[0]}"`));
}

function assertKnown(raw: Map<string, RawResource>): void {
  const unknown = [...raw]
    .filter(([, { type }]) => !isKnown(type))
    .map(([id, { type }]) => `${id} (${type})`);
  if (unknown.length > 0)
    throw new StartError(
      `The template has resources that the local stack does not know: ${unknown.join(', ')}`,
    );
}

function attributeOf(id: string, name: string, type: string | undefined): string | undefined {
  if (type === 'AWS::ApiGateway::RestApi' && name === 'RootResourceId') return rootResourceId(id);
  if (type === 'AWS::DynamoDB::GlobalTable' && name === 'StreamArn') return `${arnOf(id)}${streamEnding}`;
  if (type === 'AWS::CloudFront::Distribution' && name === 'DomainName') return awsEnvironment.urlSuffix;
  if (name !== 'Arn' || type === undefined) return undefined;
  return type === 'AWS::S3::Bucket' ? `${bucketBeginning}${id}` : arnOf(id);
}

/** Returns the ARN of an alias. It always leads to the current code, because the local stack has no older versions. */
function aliasArn(id: string, properties: JsonObject): string {
  assertKnownProperties(id, properties, ['FunctionName', 'FunctionVersion', 'Name']);
  return `${arnOf((properties.FunctionName as JsonObject).Ref as string)}:${properties.Name}`;
}

const arnOf = (id: string): string =>
  `arn:${awsEnvironment.partition}:local:${awsEnvironment.region}:${awsEnvironment.account}:${id}`;

/** Stands in for the last part of a stream's ARN, which only the database knows. */
const streamEnding = '/stream';

export const isStreamArn = (arn: string): boolean => arn.endsWith(streamEnding);

/** Bucket names are global, so their ARNs contain no region and no account. */
const bucketBeginning = `arn:${awsEnvironment.partition}:s3:::`;

export const isBucketArn = (arn: string): boolean => arn.startsWith(bucketBeginning);

export const rootResourceId = (restApiId: string): string => `${restApiId}/root`;

/** Returns the logical id in an ARN of `attributeOf`. The ARN may be part of a longer text. */
export function idInArn(text: string): string {
  return /:local:[^:]*:[^:]*:([A-Za-z0-9]+)/.exec(text)?.[1] ?? '';
}

export const bundlesIn = (assembly: string): string => join(assembly, 'bundle');

/** Returns the folder of a bundle. The asset manifests map the S3 keys of code to placeholders, which are named after the bundles. */
function codeFolder(assembly: string, s3Key: string): string {
  for (const file of globSync('*.assets.json', { cwd: assembly })) {
    const { files } = readJson(join(assembly, file)) as {
      files: Record<
        string,
        { source: { path: string }; destinations: Record<string, { objectKey: string }> }
      >;
    };
    for (const { source, destinations } of Object.values(files))
      if (Object.values(destinations).some(({ objectKey }) => objectKey === s3Key))
        return join(bundlesIn(assembly), 'functions', basename(source.path));
  }
  throw new StartError(`The assembly has no asset ${s3Key}`);
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/**
 * Returns the value of a secret of the template, 64 characters. It is derived from the logical id of the secret, so it needs no storage and is
 * the same at each start. It does not protect local data, because everybody with this code can derive it.
 */
const secretOf = (id: string): string => createHash('sha256').update(`local#${id}`).digest('hex');
