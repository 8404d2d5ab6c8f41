import { StartError } from '../process/startError.ts';

export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

/** Resolves references; undefined means that the target does not exist. */
export interface Lookup {
  ref(name: string): Json | undefined;
  attribute(id: string, name: string): Json | undefined;
  imported(name: string): Json | undefined;
  /** The value of a secret of Secrets Manager, by the `Ref` of the secret. */
  secret(id: string): string | undefined;
}

type Intrinsic = (argument: Json, lookup: Lookup) => Json;

const found = (value: Json | undefined, what: string): Json => {
  if (value === undefined)
    throw new StartError(`The template refers to ${what}, which the local stack does not know`);
  return value;
};

/** The intrinsic functions that the templates use. https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/intrinsic-function-reference.html */
const intrinsics: Record<string, Intrinsic> = {
  Ref: (name, { ref }) => found(ref(name as string), String(name)),
  'Fn::GetAtt': (argument, { attribute }) => {
    const [id, name] = argument as [string, string];
    return found(attribute(id, name), `${id}.${name}`);
  },
  'Fn::ImportValue': (name, lookup) =>
    resolve(found(lookup.imported(name as string), `the export ${name}`), lookup),
  'Fn::Join': (argument, lookup) => {
    const [separator, parts] = resolve(argument, lookup) as [string, string[]];
    return parts.join(separator);
  },
  'Fn::Select': (argument, lookup) => {
    const [index, parts] = resolve(argument, lookup) as [number, Json[]];
    return found(parts[index], `entry ${index} of a list of ${parts.length}`);
  },
  'Fn::Split': (argument, lookup) => {
    const [separator, text] = resolve(argument, lookup) as [string, string];
    return text.split(separator);
  },
  'Fn::Sub': (argument, { ref }) =>
    (argument as string).replace(/\$\{([^${}]+)\}/g, (_, name: string) => String(found(ref(name), name))),
};

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references-secretsmanager.html */
const wholeSecret = /^secretsmanager:([^:]+):SecretString:::$/;

/** Replaces the dynamic references in a string. */
const dereferenced = (text: string, { secret }: Lookup): string =>
  text.replace(/\{\{resolve:([^{}]*)\}\}/g, (reference, to: string) => {
    const [, id] = wholeSecret.exec(to) ?? [];
    return String(found(id === undefined ? undefined : secret(id), reference));
  });

/** Evaluates all intrinsic functions and dynamic references in a value of a template. */
export function resolve(value: Json, lookup: Lookup): Json {
  const resolved = evaluate(value, lookup);
  return typeof resolved === 'string' ? dereferenced(resolved, lookup) : resolved;
}

function evaluate(value: Json, lookup: Lookup): Json {
  if (Array.isArray(value)) return value.map((entry) => resolve(entry, lookup));
  if (typeof value !== 'object' || value === null) return value;
  const [[name, argument] = []] = Object.entries(value);
  if (name === 'Ref' || name?.startsWith('Fn::')) {
    const intrinsic = intrinsics[name];
    if (!intrinsic) throw new StartError(`The template uses ${name}, which the local stack does not know`);
    return intrinsic(argument as Json, lookup);
  }
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, resolve(entry, lookup)]));
}
