import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { App } from 'aws-cdk-lib';
import { DataStack } from '../../stacks/stacks.ts';
import { settingsOf } from '../../stacks/stages/stages.ts';

/** The parts of a resource that cannot be changed: a name is a property, and `index NAME` is an index. */
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

/** CloudFormation's specification, from which `cdk diff` knows replacements. It has 15 MB, so it is read once. */
function resourceTypes(): Map<string, ResourceType> {
  if (known) return known;
  const cdk = createRequire(import.meta.url).resolve('aws-cdk/package.json');
  const { schema } = JSON.parse(gunzipSync(readFileSync(join(cdk, '..', 'db.json.gz'))).toString());
  const types = Object.values(schema.resource.entities) as ResourceType[];
  known = new Map(types.map((type) => [type.cloudFormationType, type]));
  return known;
}

/**
 * CloudFormation does not replace these resources. It refuses the change, and the update of the stack fails.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-kms-key.html
 */
const refused: Record<string, readonly string[]> = {
  'AWS::KMS::Key': ['KeySpec', 'KeyUsage', 'MultiRegion', 'Origin'],
};

/**
 * CloudFormation generates a new secret when one of these properties changes. Ids that were made with the old secret
 * can then no longer be read.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-secretsmanager-secret-generatesecretstring.html
 */
const remade: Record<string, readonly string[]> = {
  'AWS::SecretsManager::Secret': ['GenerateSecretString', 'SecretString'],
};

/** DynamoDB replaces the stream. Changes that were not read from the old stream are lost. */
const streaming: Record<string, readonly string[]> = {
  'AWS::DynamoDB::GlobalTable': ['StreamSpecification'],
};

/** The parts that CloudFormation cannot change, for each resource of a template that holds data. */
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

/**
 * The types of key attributes, and the indexes of a table. An index cannot be changed, only replaced by another one.
 */
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

/**
 * What a deployment over the released stack would replace, or would fail at, one sentence each. New resources are
 * allowed.
 */
export function replacements(released: DataStackShape, current: DataStackShape): string[] {
  return Object.entries(released).flatMap(([id, { type, fixed }]) => {
    const now = current[id];
    if (now?.type !== type)
      return [
        `${id} (${type}) is removed, or has another logical id: its data stays in a resource that nothing uses.`,
      ];
    const names = new Set([...Object.keys(fixed), ...Object.keys(now.fixed).filter(isProperty)]);
    return [
      ...tooManyIndexes(id, Object.keys(fixed), Object.keys(now.fixed)),
      ...[...names]
        .filter((name) => !isDeepStrictEqual(fixed[name], now.fixed[name]))
        // A removed attribute belonged to a removed index.
        .filter((name) => !name.startsWith('attribute ') || name in now.fixed)
        // A table that had no stream gets one in place, and nothing is lost with it.
        .filter((name) => !streaming[type]?.includes(name) || name in fixed)
        .map(
          (name) =>
            `${id} (${type}): ${name} ${changeOf(fixed[name], now.fixed[name])}. ${reasonFor(type, name)}`,
        ),
    ];
  });
}

/**
 * One update of a table can create or delete only one index, and a stack update is one update of the table.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html
 */
function tooManyIndexes(id: string, before: readonly string[], after: readonly string[]): string[] {
  const changed = [
    ...before.filter((name) => !after.includes(name)),
    ...after.filter((name) => !before.includes(name)),
  ].filter((name) => name.startsWith('index '));
  if (changed.length < 2) return [];
  return [
    `${id}: ${changed.join(', ')} are created or deleted at once. Only one index of a table can change in a release.`,
  ];
}

/** Attributes and indexes may be added. */
const isProperty = (name: string): boolean => !/^(attribute|index) /.test(name);

const changeOf = (before: unknown, after: unknown): string =>
  `was ${JSON.stringify(before) ?? 'not set'} and is ${JSON.stringify(after) ?? 'not set'}`;

function reasonFor(type: string, name: string): string {
  if (name.startsWith('index '))
    return 'No index can be changed in place: add one under another name, release, and only then remove this one.';
  if (name.startsWith('attribute ')) return 'The type of a key attribute cannot be changed.';
  if (streaming[type]?.includes(name))
    return 'Changes that have not been fanned out yet are lost with the stream.';
  if (refused[type]?.includes(name)) return 'CloudFormation refuses to change it.';
  return 'CloudFormation would replace the resource with an empty one.';
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
