import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { installEmulator } from '../../../infra/ops/emulator/ministack.ts';
import { documents } from '../../support/documents/documents.ts';
import { run } from '../../support/stack/commands.ts';
import { removeFolder, temporaryFolder } from '../../support/stack/stackProcess.ts';
import { fullStages } from '../../support/stack/synth.ts';

test('a stage is checked, and the facts that only a deployment can show are listed', async () => {
  const { code, stdout, stderr } = await run('rehearse', ['--stage', 'prod']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.match(/^ok {5}\S/gm)).toHaveLength(3);
  expect(stdout).not.toMatch(/^fails/m);
  // Two queues of deliveries, two of the inbox, two of deferred changes, a shard of each stream, and what runs by the clock.
  expect(stdout).toContain(
    `may work on ${2 * 200 + 2 * 5 + 3 + 2 + (2 * 2 + 1) + 3} batches at once, and 125 of what`,
  );
  const [, rows = ''] =
    /^\| Unverified \|.*\n.*\n((?:\|.*\n)+)/m.exec(documents.get('docs/deploy.md') as string) ?? [];
  const claims = rows.trimEnd().split('\n');
  expect(claims.length).toBeGreaterThan(15);
  for (const claim of claims) expect(stdout).toContain(`- ${claim.split(' | ')[0]?.slice(2)}\n`);
});

test('a stage that reserves more than the account has is refused', async () => {
  const { code, stdout } = await run('rehearse', ['--stage', 'prod', '--concurrency', '224']);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^fails {2}the stage reserves 125, and AWS keeps 100 unreserved: the account runs 224 at once, and must run 225\./m,
  );
});

test('without Python the emulator says what it needs', async () => {
  const folder = temporaryFolder();
  onTestFinished(() => removeFolder(folder));
  vi.stubEnv('PYTHON', join(folder, 'python'));
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(installEmulator(join(folder, 'packages'))).rejects.toThrow(
    /^The emulator needs Python 3\.10 or newer with venv, which PYTHON can name: .*ENOENT/,
  );
});

test('an invalid stage is refused with the reason', async () => {
  const { code, stdout, stderr } = await run('rehearse', ['--stage', 'nope', '--stages', fullStages]);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^fails {2}there are no templates: There is no stage "nope"; there are full in /);
});
