import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { installEmulator } from '../../../infra/ops/emulator/ministack.ts';
import { run } from '../../support/stack/commands.ts';
import { removeFolder, temporaryFolder } from '../../support/stack/stackProcess.ts';
import { fullStages } from '../../support/stack/synth.ts';

test('a stage is checked, and its concurrency is printed', async () => {
  const { code, stdout, stderr } = await run('rehearse', ['--stage', 'prod']);
  expect([code, stderr]).toEqual([0, '']);
  // Two queues of deliveries, two of the inbox, two of deferred changes, a shard of each stream, and what runs by the clock.
  expect(stdout).toContain(
    `may work on ${2 * 200 + 2 * 5 + 3 + 2 + (2 * 2 + 1) + 3} batches at once, and 125 executions`,
  );
});

test('without Python the emulator says what it needs', async () => {
  const folder = temporaryFolder();
  onTestFinished(() => removeFolder(folder));
  vi.stubEnv('PYTHON', join(folder, 'python'));
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(installEmulator(join(folder, 'packages'))).rejects.toThrow(
    /^The emulator needs Python 3\.10 or newer with venv, which PYTHON can name, .*ENOENT/,
  );
});

test('an invalid stage is refused with the reason', async () => {
  const { code, stdout, stderr } = await run('rehearse', ['--stage', 'nope', '--stages', fullStages]);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^There are no templates: There is no stage "nope"; there are full in /);
});
