import type { CfnTemplate, Json } from './templates.ts';

/** The dependencies of each node, by name. */
type Graph = Map<string, Set<string>>;

/**
 * Finds circular dependencies, which CloudFormation refuses. A resource depends on everything that it refers to: in its
 * properties, in DependsOn, in its condition and in its update policy. Stacks that import from each other are circular too.
 * @param templates by stack name
 * @returns the names in each circle: `stack/resource` for a resource, the stack name for a stack
 */
export function circularDependencies(templates: ReadonlyMap<string, CfnTemplate>): string[][] {
  const exporters = exportersOf(templates);
  const graph: Graph = new Map();
  for (const [stack, template] of templates) {
    const nodes = { ...template.Resources, ...template.Conditions };
    for (const [id, node] of Object.entries(nodes)) {
      const { names, imports } = referencesOf(node as unknown as Json);
      const own = [...names].filter((name) => name in nodes).map((name) => `${stack}/${name}`);
      const others = [...imports].flatMap((name) => exporters.get(name) ?? []);
      graph.set(`${stack}/${id}`, new Set([...own, ...others.flatMap(({ resources }) => resources)]));
      graph.set(stack, new Set([...(graph.get(stack) ?? []), ...others.map(({ stack: other }) => other)]));
    }
  }
  return components(graph).filter(([first = '', ...rest]) => rest.length > 0 || graph.get(first)?.has(first));
}

/** The stack of each export, and the resources that its value refers to. By the name of the export. */
function exportersOf(
  templates: ReadonlyMap<string, CfnTemplate>,
): Map<string, { stack: string; resources: string[] }> {
  return new Map(
    [...templates].flatMap(([stack, { Resources, Outputs = {} }]) =>
      Object.values(Outputs).flatMap(({ Value, Export }) => {
        const names = [...referencesOf(Value).names].filter((name) => name in Resources);
        const resources = names.map((name) => `${stack}/${name}`);
        return Export ? [[String(Export.Name), { stack, resources }] as const] : [];
      }),
    ),
  );
}

interface References {
  /** Logical ids, names of conditions, and of pseudo parameters. */
  names: Set<string>;
  imports: Set<string>;
}

/** All references in a part of a template. */
function referencesOf(value: Json, found: References = { names: new Set(), imports: new Set() }): References {
  if (Array.isArray(value)) for (const item of value) referencesOf(item, found);
  else if (value !== null && typeof value === 'object')
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'Fn::ImportValue') found.imports.add(String(inner));
      for (const referred of namesIn(name, inner)) found.names.add(referred);
      referencesOf(inner, found);
    }
  return found;
}

/** The names to which one member of an object refers. */
function namesIn(name: string, value: Json): string[] {
  const texts = (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');
  switch (name) {
    case 'Ref':
    case 'Condition':
    case 'DependsOn':
      return texts;
    case 'Fn::If':
      return texts.slice(0, 1);
    case 'Fn::GetAtt':
      return [String(texts[0]).split('.')[0] as string];
    case 'Fn::Sub':
      return [...String(texts[0]).matchAll(/\$\{([^!.}]+)[^}]*\}/g)].map(([, id]) => id as string);
    default:
      return [];
  }
}

/** The strongly connected components (Tarjan 1972). */
function components(graph: Graph): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): number => {
    const at = index.size;
    index.set(node, at);
    low.set(node, at);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) low.set(node, Math.min(low.get(node) as number, visit(next)));
      else if (stack.includes(next))
        low.set(node, Math.min(low.get(node) as number, index.get(next) as number));
    }
    if (low.get(node) === at) found.push(stack.splice(stack.indexOf(node)));
    return low.get(node) as number;
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return found;
}
