import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolder, root, temporaryFolder } from './stackProcess.ts';

export interface CfnResource {
  Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: the properties of any resource
  Properties: any;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
  DependsOn?: string[];
  UpdatePolicy?: { CodeDeployLambdaAliasUpdate?: object };
}

export interface Synthesized {
  resources: Record<string, CfnResource>;
  /** The outputs by name. */
  outputs: Record<string, unknown>;
  /** The output of the CLI. */
  output: string;
  /** All hosts that the synth connected to. */
  connectedTo: string[];
  /** The folder of the assembly. */
  folder: string;
  ofType(type: string): [id: string, resource: CfnResource][];
}

/** The folder of the stage `full`, which has a value for every setting. */
export const fullStages = join(root, 'test', 'infra', 'stages');

/**
 * Runs `npx cdk synth` for a stage, as ops do: with all checks, without credentials.
 * @param stages the folder of the stage, when it is not one of the project's stages
 * @throws Error with the output, when there is no template
 */
export function synthesize(stage: string, stages?: string): Synthesized {
  const folder = temporaryFolder();
  const { AWS_ACCESS_KEY_ID: _, AWS_SECRET_ACCESS_KEY: __, AWS_REGION: ___, ...env } = process.env;
  const connections = join(folder, 'connections');
  const cdk = join(root, 'node_modules', 'aws-cdk', 'bin', 'cdk');
  const args = [cdk, 'synth', '--quiet', '--no-notices', '--output', folder, '-c', `stage=${stage}`];
  if (stages !== undefined) args.push('-c', `stages=${stages}`);
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    env: {
      ...env,
      BUNDLE_DIR: join(folder, 'bundle'),
      CONNECTIONS: connections,
      NODE_OPTIONS: `--require=${join(import.meta.dirname, 'connections.cjs')}`,
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

/**
 * The stacks of the API, without the one that publishes its reference.
 * @param output the output of the synth
 */
export function readAssembly(folder: string, output = ''): Synthesized {
  const templates = globSync('*.template.json', { cwd: folder, exclude: ['*-reference.template.json'] }).map(
    (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')),
  );
  const resources: Record<string, CfnResource> = Object.assign(
    {},
    ...templates.map(({ Resources }) => Resources),
  );
  return {
    resources,
    outputs: Object.fromEntries(
      templates.flatMap(({ Outputs = {} }) =>
        Object.entries(Outputs as Record<string, { Value: unknown }>).map(([name, { Value }]) => [
          name,
          Value,
        ]),
      ),
    ),
    output,
    connectedTo: [],
    folder,
    ofType: (type) => Object.entries(resources).filter(([, resource]) => resource.Type === type),
  };
}
