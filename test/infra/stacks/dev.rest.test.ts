import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { currentAssembly } from '../../../infra/local/template/assembly.ts';
import { removeFolder, root, temporaryFolder } from '../../support/stack/stackProcess.ts';
import { type CfnResource, readAssembly, type Synthesized, synthesize } from '../../support/stack/synth.ts';

// The stage dev with the outbox that the local stack always has.
const stages = temporaryFolder();
let dev: Synthesized;
beforeAll(() => {
  const settings = JSON.parse(readFileSync(join(root, 'infra', 'stacks', 'stages', 'dev.json'), 'utf8'));
  writeFileSync(join(stages, 'dev.json'), JSON.stringify({ ...settings, outbox: 'clients' }));
  dev = synthesize('dev', { stages });
});
afterAll(() => {
  removeFolder(dev.folder);
  removeFolder(stages);
});

test('npm start serves what is deployed: the same resources, to the last property but the name of the code', async () => {
  const { resources, console } = readAssembly(await currentAssembly());
  // The template of npm start is made before the bundles and the page are, so it has other names for them, and copies no page.
  const withoutCode = (all: Record<string, CfnResource>) =>
    JSON.parse(
      JSON.stringify(all, (name, value) =>
        /^(aws:asset:path|S3Key)$|^ConsoleSiteRelease|^CustomCDKBucketDeployment/.test(name) ? null : value,
      ),
    );
  expect(withoutCode(resources)).toEqual(withoutCode(dev.resources));
  expect(withoutCode(console.resources)).toEqual(withoutCode(dev.console.resources));
});
