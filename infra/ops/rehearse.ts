import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Option } from 'commander';
import { type CfnTemplate, circularDependencies, concurrencyOf } from '../stacks/templates.ts';
import { OpsCommand } from '../terminal/command.ts';
import { parseDirectory } from './start/options.ts';
import { root, type StageOptions, templatesOf } from './synth.ts';
import { parseCount } from './values.ts';

// npm run ops -- rehearse
// npm run ops -- rehearse --stage prod
// npm run ops -- rehearse --emulator

interface Options extends StageOptions {
  concurrency: number;
  emulator?: boolean;
  run?: string;
}

/** The result of a check of a stage: what is wrong, or a few words for "nothing is wrong". */
interface Finding {
  wrong: string[];
  right: string;
}

/** https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const [usualQuota, unreservedMin] = [1000, 100];

export const program = new OpsCommand('rehearse')
  .description(
    'Rehearse the deployment of a stage as far as possible without an AWS account: make its templates, look for what ' +
      'CloudFormation would refuse, and list what only a real deployment can show. ' +
      'The exit code is 1 when something is wrong.',
  )
  .option('--stage <name>', 'the stage', 'dev')
  .option('--stages <folder>', 'where stages are kept, when it is not infra/stacks/stages', parseDirectory)
  .option(
    '--concurrency <count>',
    "how many functions the AWS account runs at once, Lambda's quota of it",
    parseCount,
    usualQuota,
  )
  .option('--emulator', 'deploy, use and destroy dev on an emulator of AWS instead; this needs Python')
  .addOption(
    new Option('--run <command>', 'run this command with dev on the emulator, and end').implies({
      emulator: true,
    }),
  )
  .action(rehearse);

async function rehearse(options: Options): Promise<void> {
  if (options.emulator) {
    const { rehearseOnEmulator } = await import('./emulator/rehearsal.ts');
    return rehearseOnEmulator(options.run);
  }
  const { templates, assembly } = await templatesOf(options);
  console.log(`ok     the templates are in ${relative(root, assembly)}, and cdk-nag finds nothing in them`);
  const circle = circularDependencies(templates);
  report({
    wrong: circle.length > 0 ? [`these depend on each other in a circle: ${circle.join(', ')}`] : [],
    right: 'no resources and no stacks depend on each other in a circle',
  });
  const name = `public-api-${options.stage}`;
  const { batches } = concurrencyOf(templates.get(name) as CfnTemplate);
  const reserved = [...templates.values()].reduce((sum, one) => sum + concurrencyOf(one).reserved, 0);
  const needed = reserved + unreservedMin;
  report({
    wrong:
      reserved > 0 && needed > options.concurrency
        ? [
            `the stage reserves ${reserved}, and AWS keeps ${unreservedMin} unreserved: the account runs ${options.concurrency} at once, and must run ${needed}. Leave out testConcurrency and concurrency.usage, or ask AWS for more`,
          ]
        : [],
    right: `what the stage reserves leaves ${options.concurrency - reserved} of the ${options.concurrency} that the account runs at once (--concurrency)`,
  });
  console.log(
    `look   the pipeline may work on ${batches} batches at once, and ${reserved} of what the account runs at once are kept for one function: ` +
      `the account needs ${2 * batches} or more, and ${needed} at least (docs/deploy.md)`,
  );
  console.log(`\nOnly a real deployment can show the rest (docs/deploy.md):\n\n${unverified().join('\n')}`);
}

function report({ wrong, right }: Finding): void {
  if (wrong.length === 0) console.log(`ok     ${right}`);
  else process.exitCode = 1;
  for (const sentence of wrong) console.log(`fails  ${sentence}`);
}

/** The rows of the checklist: each claim with the command that verifies it. */
function unverified(): string[] {
  const lines = readFileSync(join(root, 'docs', 'deploy.md'), 'utf8').split('\n');
  const head = lines.findIndex((line) => line.startsWith('| Unverified |'));
  const rows = lines.slice(head + 2);
  return rows
    .slice(
      0,
      rows.findIndex((line) => !line.startsWith('|')),
    )
    .map((row) =>
      row
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim()),
    )
    .map(([claim, command, expected]) => `- ${claim}\n    ${command}\n    expect: ${expected}`);
}
