import { expect, test } from 'vitest';
import { run } from '../support/commands.ts';
import { documents } from '../support/documents.ts';
import { fullStages } from '../support/synth.ts';

test('a stage is gone through, compared with the last release, and what only a deployment can show is listed', async () => {
  const { code, stdout, stderr } = await run('rehearse', ['--stage', 'prod']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.match(/^ok {5}\S/gm)).toHaveLength(4);
  expect(stdout).not.toMatch(/^fails/m);
  for (const stack of ['public-api-prod-data', 'public-api-prod'])
    expect(stdout).toMatch(
      new RegExp(`^look   ${stack} against the last release:\\n\\nStack ${stack}\\n`, 'm'),
    );
  const [, rows = ''] =
    /^\| Unverified \|.*\n.*\n((?:\|.*\n)+)/m.exec(documents.get('docs/deploy.md') as string) ?? [];
  const claims = rows.trimEnd().split('\n');
  expect(claims.length).toBeGreaterThan(15);
  for (const claim of claims) expect(stdout).toContain(`- ${claim.split(' | ')[0]?.slice(2)}\n`);
});

test('of a stage of another folder, too, with which there is nothing to compare', async () => {
  const { code, stdout } = await run('rehearse', ['--stage', 'full', '--stages', fullStages]);
  expect(code).toBe(0);
  expect(stdout).toContain('look   the last release had no stack public-api-full-reference\n');
});

test('one that cannot be made is refused with the reason', async () => {
  const { code, stdout, stderr } = await run('rehearse', ['--stage', 'nope']);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /^fails {2}there are no templates: There is no stage "nope"; there are dev, prod in /,
  );
});
