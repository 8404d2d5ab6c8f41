import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { currentAssembly } from '../../../infra/local/template/assembly.ts';
import { removeFolder, root, temporaryFolder } from './stackProcess.ts';

export interface CfnResource {
  Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: the properties of any resource
  Properties: any;
  Metadata?: Record<string, unknown>;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
  DependsOn?: string[];
  UpdatePolicy?: { CodeDeployLambdaAliasUpdate?: object };
}

/** One or several stacks together. */
export interface Stacks {
  resources: Record<string, CfnResource>;
  /** The outputs by name. */
  outputs: Record<string, unknown>;
  ofType(type: string): [id: string, resource: CfnResource][];
}

/**
 * The stacks of data, of the public API and of the console, in this order, without the page of the console, which is public and
 * copied by a function of CDK.
 */
export interface Synthesized extends Stacks {
  publicApi: Stacks;
  console: Stacks;
  /** The output of the CLI. */
  output: string;
  /** All hosts that the synth connected to. */
  connectedTo: string[];
  /** The folder of the assembly. */
  folder: string;
}

/** The folder of the stage `full`, which has a value for every setting. */
export const fullStages = join(root, 'test', 'infra', 'stacks', 'stages');

/**
 * Runs `npx cdk synth` for a stage, as ops do: with all checks, without credentials.
 * @param stages the folder of the stage, when it is not one of the project's stages
 * @param bundles a folder with the bundles of today's functions, which are the same for every stage; without it, they are made
 * @throws Error with the output, when there is no template
 */
export function synthesize(
  stage: string,
  { stages, bundles }: { stages?: string; bundles?: string } = {},
): Synthesized {
  const folder = temporaryFolder();
  const { AWS_ACCESS_KEY_ID: _, AWS_SECRET_ACCESS_KEY: __, AWS_REGION: ___, ...env } = process.env;
  const connections = join(folder, 'connections');
  const cdk = join(root, 'node_modules', 'aws-cdk', 'bin', 'cdk');
  const args = [cdk, 'synth', '--quiet', '--no-notices', '--output', folder, '-c', `stage=${stage}`];
  if (stages !== undefined) args.push('-c', `stages=${stages}`);
  // Without quotes, a blank in the path of the checkout would end the option.
  const preloads = [`--require="${join(import.meta.dirname, 'connections.cjs')}"`];
  if (bundles !== undefined) preloads.push(`--import="${join(import.meta.dirname, 'givenBundles.ts')}"`);
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    env: {
      ...env,
      BUNDLE_DIR: join(folder, 'bundle'),
      CONNECTIONS: connections,
      NODE_OPTIONS: preloads.join(' '),
      ...(bundles === undefined ? {} : { BUNDLES: bundles }),
    },
    encoding: 'utf8',
  });
  if (status !== 0) {
    removeFolder(folder);
    throw new Error(stderr);
  }
  const connectedTo = existsSync(connections) ? readFileSync(connections, 'utf8').trim().split('\n') : [];
  return { ...readAssembly(folder, stdout + stderr), connectedTo };
}

/** The stage prod, synthesized once for each state of the project: its templates and manifest, and what the CLI has said. */
export async function synthesizedProd(): Promise<Synthesized> {
  const assembly = await currentAssembly();
  const folder = join(assembly, 'prod');
  const said = 'said.json';
  if (!existsSync(folder)) {
    const made = synthesize('prod', { bundles: join(assembly, 'bundle') });
    // Renamed in one step, because another worker may make it at the same time.
    const draft = `${folder}-${process.pid}`;
    mkdirSync(draft);
    for (const file of globSync(['*.template.json', 'manifest.json'], { cwd: made.folder }))
      copyFileSync(join(made.folder, file), join(draft, file));
    const { output, connectedTo } = made;
    writeFileSync(join(draft, said), JSON.stringify({ output, connectedTo }));
    removeFolder(made.folder);
    try {
      renameSync(draft, folder);
    } catch {
      removeFolder(draft);
    }
  }
  return { ...readAssembly(folder), ...JSON.parse(readFileSync(join(folder, said), 'utf8')) };
}

interface RawTemplate {
  Resources: Record<string, CfnResource>;
  Outputs?: Record<string, { Value: unknown }>;
}

export function stacksIn(templates: readonly RawTemplate[], leftOut?: RegExp): Stacks {
  const all = templates.flatMap(({ Resources }) => Object.entries(Resources));
  const resources = Object.fromEntries(all.filter(([id]) => !leftOut?.test(id)));
  const outputs = templates.flatMap(({ Outputs = {} }) =>
    Object.entries(Outputs).map(([name, { Value }]) => [name, Value]),
  );
  return {
    resources,
    outputs: Object.fromEntries(outputs),
    ofType: (type) => Object.entries(resources).filter(([, resource]) => resource.Type === type),
  };
}

const site = /^ConsoleSite|^CustomCDKBucketDeployment/;

/**
 * The stacks of an assembly, without the one that publishes the reference.
 * @param output the output of the synth
 */
export function readAssembly(folder: string, output = ''): Synthesized {
  const templates = globSync('*.template.json', { cwd: folder, exclude: ['*-reference.template.json'] })
    .sort()
    .map((file) => ({ file, ...(JSON.parse(readFileSync(join(folder, file), 'utf8')) as RawTemplate) }));
  const named = (end: string) => templates.filter(({ file }) => file.endsWith(`${end}.template.json`));
  const [ofData, ofConsole] = [named('-data'), named('-console')];
  const ofApi = templates.filter((one) => ![...ofData, ...ofConsole].includes(one));
  return {
    ...stacksIn([...ofData, ...ofApi, ...ofConsole], site),
    publicApi: stacksIn(ofApi),
    console: stacksIn(ofConsole),
    output,
    connectedTo: [],
    folder,
  };
}
