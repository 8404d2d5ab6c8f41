import { globSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

// Changes an assembly of dev after its synth, as a later release would.

export const dev = 'public-api-dev';

/** The function that is changed. */
export const changedFunction = 'getMe';

interface FunctionResource {
  Type: string;
  Properties: { MemorySize: number; Code: { S3Key: string } };
}

interface Template {
  Resources: Record<string, object>;
}

const templateFile = (assembly: string): string => join(assembly, `${dev}.template.json`);

const templateIn = (assembly: string): Template => JSON.parse(readFileSync(templateFile(assembly), 'utf8'));

const changedIn = ({ Resources }: Template): [id: string, resource: FunctionResource] =>
  Object.entries(Resources).find(
    ([id, one]) =>
      (one as FunctionResource).Type === 'AWS::Lambda::Function' && id.includes(`${changedFunction}Function`),
  ) as [string, FunctionResource];

/** Adds a line to the code of a function in an assembly, under another hash. */
export function changeCode(assembly: string): void {
  const [, { Properties }] = changedIn(templateIn(assembly));
  const hash = basename(Properties.Code.S3Key, '.zip');
  const [code] = globSync(`asset.${hash}/index.*js`, { cwd: assembly });
  writeFileSync(join(assembly, code as string), '\n// rehearsed\n', { flag: 'a' });
  renameSync(join(assembly, `asset.${hash}`), join(assembly, `asset.${rehash(assembly, hash)}`));
}

/** Gives an asset another hash, by which the CLI sees that it has to be uploaded. */
function rehash(assembly: string, hash: string): string {
  const another = hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
  for (const file of globSync('*.json', { cwd: assembly })) {
    const path = join(assembly, file);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(hash, another));
  }
  return another;
}

/** Deploys another template of dev. */
function changeTemplate(assembly: string, template: Template): void {
  writeFileSync(templateFile(assembly), JSON.stringify(template));
  const { files } = JSON.parse(readFileSync(join(assembly, `${dev}.assets.json`), 'utf8')) as {
    files: Record<string, { source: { path: string } }>;
  };
  const [hash] = Object.entries(files).find(
    ([, { source }]) => source.path === basename(templateFile(assembly)),
  ) as [string, object];
  rehash(assembly, hash);
}

/** Gives the function another memory, and adds a resource that cannot be made after that. */
export function breakTemplate(assembly: string, memory: number): void {
  const template = templateIn(assembly);
  const [id, { Properties }] = changedIn(template);
  Properties.MemorySize = memory;
  template.Resources.Broken = {
    Type: 'AWS::SSM::Parameter',
    DependsOn: id,
    Properties: { Type: 'Unknown', Value: 'x' },
  };
  changeTemplate(assembly, template);
}
