import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export interface CfnResource {
  Type: string;
  Properties?: Record<string, Json>;
  DependsOn?: string | string[];
  UpdatePolicy?: Json;
  Condition?: string;
}

export interface CfnTemplate {
  Resources: Record<string, CfnResource>;
  Outputs?: Record<string, { Value: Json; Export?: { Name: Json } }>;
}

export const readTemplates = (assembly: string): Map<string, CfnTemplate> =>
  new Map(
    globSync('*.template.json', { cwd: assembly })
      .sort()
      .map((file) => [
        basename(file, '.template.json'),
        JSON.parse(readFileSync(join(assembly, file), 'utf8')) as CfnTemplate,
      ]),
  );

/**
 * Finds circular dependencies, which CloudFormation refuses at deployment: between resources that refer to each other, anywhere in their
 * properties, and between stacks that import from each other.
 * @returns the names on circles, and between two circles: `stack/resource` for a resource, the stack name for a stack
 */
export function circularDependencies(templates: ReadonlyMap<string, CfnTemplate>): string[] {
  const exported = new Map(
    [...templates].flatMap(([stack, { Resources, Outputs = {} }]) =>
      Object.values(Outputs).flatMap(({ Value, Export }) =>
        Export ? [[String(Export.Name), [stack, ...referredIn(Value, stack, Resources)]] as const] : [],
      ),
    ),
  );
  const graph = new Map<string, string[]>();
  for (const [stack, { Resources }] of templates)
    for (const [id, resource] of Object.entries(Resources)) {
      const imports = [...JSON.stringify(resource).matchAll(/"Fn::ImportValue":"([^"]+)"/g)];
      const others = imports.flatMap(([, name = '']) => exported.get(name) ?? []);
      const own = referredIn(resource as unknown as Json, stack, Resources);
      graph.set(`${stack}/${id}`, [...own, ...others.filter((name) => !templates.has(name))]);
      graph.set(stack, [...(graph.get(stack) ?? []), ...others.filter((name) => templates.has(name))]);
    }
  // A node is on no circle if it refers to no remaining node, or if no remaining node refers to it.
  for (let before = 0; before !== graph.size; ) {
    before = graph.size;
    const referred = new Set([...graph.values()].flat());
    for (const [name, to] of graph)
      if (!referred.has(name) || !to.some((one) => graph.has(one))) graph.delete(name);
  }
  return [...graph.keys()];
}

/** Returns the resources of the stack to which a part of a template refers. */
function referredIn(part: Json, stack: string, resources: CfnTemplate['Resources']): string[] {
  if (part === null || typeof part !== 'object') return [];
  if (Array.isArray(part)) return part.flatMap((item) => referredIn(item, stack, resources));
  return Object.entries(part).flatMap(([name, value]) => {
    const [first = '', ...more] = [value].flat().filter((one) => typeof one === 'string');
    const ids =
      name === 'Ref' || name === 'DependsOn'
        ? [first, ...more]
        : name === 'Fn::GetAtt'
          ? [first.split('.')[0] as string]
          : name === 'Fn::Sub'
            ? [...first.matchAll(/\$\{([^!.}]+)[^}]*\}/g)].map(([, id]) => id as string)
            : [];
    const own = ids.filter((id) => id in resources).map((id) => `${stack}/${id}`);
    return [...own, ...referredIn(value, stack, resources)];
  });
}

/**
 * Returns the share of the account's concurrent executions that a stage uses: the largest number of concurrent batches of queues and of shards
 * of each stream, runs of schedules, and the reserved concurrency of single functions. AWS requires that 100 executions of the account stay
 * unreserved.
 * https://docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html
 */
export function concurrencyOf({ Resources }: CfnTemplate) {
  const sum = { batches: 0, reserved: 0 };
  for (const { Type, Properties = {} } of Object.values(Resources)) {
    if (Type === 'AWS::Events::Rule') sum.batches += 1;
    if (Type === 'AWS::Lambda::Function')
      sum.reserved += Number(Properties.ReservedConcurrentExecutions ?? 0);
    if (Type !== 'AWS::Lambda::EventSourceMapping') continue;
    const { ScalingConfig, ParallelizationFactor } = Properties as {
      ScalingConfig?: { MaximumConcurrency: number };
      ParallelizationFactor?: number;
    };
    sum.batches += ScalingConfig?.MaximumConcurrency ?? ParallelizationFactor ?? 1;
  }
  return sum;
}
