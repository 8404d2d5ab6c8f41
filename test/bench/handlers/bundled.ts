import { globSync } from 'node:fs';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { type BundlingOptions, LogLevel, NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { build, type Plugin } from 'esbuild';
import { currentAssembly } from '../../../infra/local/template/assembly.ts';
import { readTemplate } from '../../../infra/local/template/template.ts';
import { options } from '../../../infra/stacks/bundle/bundle.ts';

// Bundles handlers as a Lambda would be deployed with them.

/** The code of one of our functions, out of the assets of the template. @returns the file */
export async function ours(id: string): Promise<string> {
  const template = readTemplate(await currentAssembly(), { queueUrl: () => '' });
  const found = template.resources('AWS::Lambda::Function').find((resource) => resource.id.includes(id));
  if (!found) throw new Error(`The template has no function ${id}`);
  const { S3Key } = found.properties.Code as { S3Key: string };
  return join(template.codeFolder(S3Key), 'index.js');
}

/** Bundles a handler with the options of our own Lambdas. @returns the file */
export async function bundledLikeOurs(
  entry: string,
  folder: string,
  plugins: readonly Plugin[] = [],
): Promise<string> {
  // Not `.js`: the folder has no package.json that says what such a file is.
  const outfile = join(folder, 'index.cjs');
  await build({
    ...options,
    entryPoints: [entry],
    outfile,
    sourcemap: false,
    write: true,
    plugins: [...plugins, ...(options.plugins ?? [])],
  });
  return outfile;
}

/** Bundles a handler by CDK's NodejsFunction. @returns the file */
export function bundledByCdk(entry: string, folder: string, bundling: BundlingOptions): string {
  const app = new App({ outdir: folder });
  new NodejsFunction(new Stack(app, 'bench'), 'handler', {
    entry,
    runtime: Runtime.NODEJS_24_X,
    bundling: { ...bundling, logLevel: LogLevel.ERROR },
  });
  app.synth();
  const [file] = globSync('asset.*/index.*js', { cwd: folder });
  return join(folder, file as string);
}
