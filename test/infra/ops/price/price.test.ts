import { afterAll, describe, expect, test } from 'vitest';
import { billOf, date, fixedCosts, type Line, measured, region } from '../../../../infra/ops/price/price.ts';
import { settingsOf } from '../../../../infra/stacks/stages/stages.ts';
import { readTemplates } from '../../../../infra/stacks/templates.ts';
import { documents } from '../../../support/documents/documents.ts';
import { removeFolder, temporaryFolder } from '../../../support/stack/stackProcess.ts';
import { stacksOf } from '../../../support/stack/stacks.ts';

const dollars = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + line.dollars, 0);

const code = temporaryFolder();
afterAll(() => removeFolder(code));

/** What the stages cost without traffic. */
const fixed = Object.fromEntries(
  ['small', 'prod'].map((stage) => [
    stage,
    fixedCosts(readTemplates(stacksOf(settingsOf(stage), code).app.synth().directory).values()),
  ]),
);

describe('a month', () => {
  const [, table = ''] = (documents.get('docs/benchmarks.md') as string).split('\n## Cost\n');
  /** Dollars for a million, as the page of benchmarks has them. */
  const published = (call: string): number =>
    Number(new RegExp(`^\\| ${call} \\|(?:[^|]*\\|){3} ([\\d.]+) \\|`, 'm').exec(table)?.[1]);

  test.each([
    { reads: 5e6, writes: 2e5, events: 1e6, messages: 0 },
    { reads: 1e5, writes: 1e5, events: 1e5, messages: 1e6 },
    { reads: 0, writes: 3e6, events: 9e6, messages: 0 },
  ])(
    'of $reads reads, $writes writes, $events events and $messages messages is what the bench has measured',
    (traffic) => {
      const { reads, writes, events, messages } = traffic;
      const sum =
        (reads * (published('listContacts') + published('getContact'))) / 2 +
        (writes * (published('createContact') + published('updateContact'))) / 2 +
        (reads + writes) * published('counting of any call, 5 log lines a batch') +
        (writes + messages) * published('a change in the index and the feed') +
        events * published('an event and its delivery') +
        messages * published('a message of the inbox');
      const bill = billOf(traffic, measured(), { tracing: false }).filter(({ name }) => name !== 'logs');
      expect(dollars(bill) / (sum / 1e6)).toBeGreaterThan(0.95);
      expect(dollars(bill) / (sum / 1e6)).toBeLessThan(1.05);
    },
  );

  test('with an outbox, traces and a firewall costs more, each on a line of its own', () => {
    const traffic = { reads: 1e6, writes: 1e6, events: 0, messages: 0 };
    const without = billOf(traffic, measured(), { tracing: false });
    const full = billOf(traffic, measured(), {
      tracing: true,
      outbox: 'all',
      firewall: { requestsPerAddress: 10 },
    });
    const more = full.filter(
      ({ name, dollars }) => dollars !== (without.find((one) => one.name === name)?.dollars ?? 0),
    );
    expect(more.map(({ name, dollars }) => [name, Number(dollars.toFixed(2))])).toEqual([
      ['outbox', 1.2],
      ['traces', 10],
      ['firewall', 1.2],
    ]);
  });
});

test('without traffic the stage small costs at most $15', () => {
  expect(dollars(fixed.small as Line[])).toBeLessThanOrEqual(15);
});

test('the README says what two months cost', () => {
  const none = { reads: 0, writes: 0, events: 0, messages: 0 };
  const readme = documents.get('README.md') as string;
  const monthOf = (stage: string, traffic = none) =>
    `$${Math.round(dollars([...billOf(traffic, measured(), settingsOf(stage)), ...(fixed[stage] as Line[])]))}`;
  const small = { reads: 3e5, writes: 2e4, events: 2e4, messages: 0 };
  const large = { reads: 5e6, writes: 2e5, events: 1e6, messages: 0 };
  expect(readme).toContain(
    `| 300,000 | 20,000 | 20,000 | ${monthOf('small', small)} | ${monthOf('small')} |`,
  );
  expect(readme).toContain(
    `| 5,000,000 | 200,000 | 1,000,000 | ${monthOf('prod', large)} | ${monthOf('prod')} |`,
  );
  expect(readme).toContain(`prices of ${date} in ${region}`);
});
