import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { App } from 'aws-cdk-lib';
import { DataStack } from '../../stacks.ts';
import { settingsOf } from '../../stages.ts';

/** What cannot be changed of a resource: a name stands for a property, and `index NAME` for an index. */
interface Unchangeable {
  type: string;
  fixed: Record<string, unknown>;
}

/** By the logical ids of the resources. */
export type DataStackShape = Record<string, Unchangeable>;

type Properties = Record<string, unknown>;

export interface Template {
  Resources: Record<string, { Type: string; Properties?: Properties }>;
}

interface ResourceType {
  cloudFormationType: string;
  isStateful?: boolean;
  properties: Record<string, { causesReplacement?: 'yes' | 'maybe' | 'no' }>;
}

let known: Map<string, ResourceType> | undefined;

/** CloudFormation's specification, which `cdk diff` tells replacements by: 15 MB, so it is read once. */
function resourceTypes(): Map<string, ResourceType> {
  if (known) return known;
  const cdk = createRequire(import.meta.url).resolve('aws-cdk/package.json');
  const { schema } = JSON.parse(gunzipSync(readFileSync(join(cdk, '..', 'db.json.gz'))).toString());
  const types = Object.values(schema.resource.entities) as ResourceType[];
  known = new Map(types.map((type) => [type.cloudFormationType, type]));
  return known;
}

/**
 * Not replaced, but refused: the update of the stack fails.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-kms-key.html
 */
const refused: Record<string, readonly string[]> = {
  'AWS::KMS::Key': ['KeySpec', 'KeyUsage', 'MultiRegion', 'Origin'],
};

/**
 * CloudFormation makes another value when the way to make it changes, and every id that was made with the old one leads nowhere.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-secretsmanager-secret-generatesecretstring.html
 */
const remade: Record<string, readonly string[]> = {
  'AWS::SecretsManager::Secret': ['GenerateSecretString', 'SecretString'],
};

/** Another stream takes the place of the one there was, with which goes what nobody has read of it. */
const streaming: Record<string, readonly string[]> = {
  'AWS::DynamoDB::GlobalTable': ['StreamSpecification'],
};

/** What CloudFormation cannot change of the resources of a template that hold data. */
export function shapeOf({ Resources }: Template): DataStackShape {
  const types = resourceTypes();
  const holding = Object.entries(Resources).filter(([, { Type }]) => types.get(Type)?.isStateful);
  return Object.fromEntries(
    holding.map(([id, { Type, Properties = {} }]) => [
      id,
      {
        type: Type,
        fixed: { ...fixedOf(types.get(Type) as ResourceType, Properties), ...keysOf(Properties) },
      },
    ]),
  );
}

function fixedOf({ cloudFormationType, properties }: ResourceType, set: Properties): Properties {
  const replacing = Object.keys(properties).filter((name) =>
    ['yes', 'maybe'].includes(properties[name]?.causesReplacement ?? 'no'),
  );
  const more = [refused, remade, streaming].flatMap((special) => special[cloudFormationType] ?? []);
  const names = [...replacing, ...more].filter((name) => set[name] !== undefined);
  return Object.fromEntries(names.sort().map((name) => [name, set[name]]));
}

interface Attribute {
  AttributeName: string;
  AttributeType: string;
}

interface Index {
  IndexName: string;
  KeySchema: unknown;
  Projection: unknown;
}

/** The types of key attributes, and the indexes of a table. No index can be changed: there has to be another one. */
function keysOf(set: Properties): Properties {
  const { AttributeDefinitions = [], GlobalSecondaryIndexes = [] } = set as {
    AttributeDefinitions?: Attribute[];
    GlobalSecondaryIndexes?: Index[];
  };
  return Object.fromEntries([
    ...AttributeDefinitions.map(({ AttributeName, AttributeType }) => [
      `attribute ${AttributeName}`,
      AttributeType,
    ]),
    ...GlobalSecondaryIndexes.map(({ IndexName, KeySchema, Projection }) => [
      `index ${IndexName}`,
      { KeySchema, Projection },
    ]),
  ]);
}

/** What a deployment over the released stack would replace, or fail at: a sentence for each. Nothing is wrong with something new. */
export function replacements(released: DataStackShape, current: DataStackShape): string[] {
  return Object.entries(released).flatMap(([id, { type, fixed }]) => {
    const now = current[id];
    if (now?.type !== type)
      return [
        `${id} (${type}) is gone, or has another logical id: the data stays behind in a resource that nobody uses.`,
      ];
    const names = new Set([...Object.keys(fixed), ...Object.keys(now.fixed).filter(isProperty)]);
    return [
      ...tooManyIndexes(id, Object.keys(fixed), Object.keys(now.fixed)),
      ...[...names]
        .filter((name) => !isDeepStrictEqual(fixed[name], now.fixed[name]))
        // An attribute that is gone belonged to an index that is.
        .filter((name) => !name.startsWith('attribute ') || name in now.fixed)
        .map(
          (name) =>
            `${id} (${type}): ${name} ${changeOf(fixed[name], now.fixed[name])}. ${reasonFor(type, name)}`,
        ),
    ];
  });
}

/**
 * DynamoDB makes or deletes one index in an update of a table, and an update of the stack is one.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html
 */
function tooManyIndexes(id: string, before: readonly string[], after: readonly string[]): string[] {
  const changed = [
    ...before.filter((name) => !after.includes(name)),
    ...after.filter((name) => !before.includes(name)),
  ].filter((name) => name.startsWith('index '));
  if (changed.length < 2) return [];
  return [`${id}: ${changed.join(', ')} are made or deleted at once. A table takes one index in a release.`];
}

/** Attributes and indexes may be added. */
const isProperty = (name: string): boolean => !/^(attribute|index) /.test(name);

const changeOf = (before: unknown, after: unknown): string =>
  `was ${JSON.stringify(before) ?? 'not set'} and is ${JSON.stringify(after) ?? 'not set'}`;

function reasonFor(type: string, name: string): string {
  if (name.startsWith('index '))
    return 'No index can be changed in place: add one under another name, release, and only then remove this one.';
  if (name.startsWith('attribute ')) return 'The type of a key attribute cannot be changed.';
  if (streaming[type]?.includes(name)) return 'Changes that have not been told yet are lost with the stream.';
  if (refused[type]?.includes(name)) return 'CloudFormation refuses to change it.';
  return 'CloudFormation would replace the resource by an empty one.';
}

/** The template of the data stack of a stage. */
export function dataTemplate(stage: string): Template {
  const app = new App();
  const name = `public-api-${stage}-data`;
  new DataStack(app, name, { settings: settingsOf(stage) });
  const assembly = app.synth();
  const { template } = assembly.getStackByName(name);
  rmSync(assembly.directory, { recursive: true });
  return template;
}
