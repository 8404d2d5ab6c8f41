import { relative } from 'node:path';
import { type CfnTemplate, circularDependencies, concurrencyOf } from '../stacks/templates.ts';
import { OpsCommand } from '../terminal/command.ts';
import { OpsError } from '../terminal/opsError.ts';
import { parseDirectory } from './start/options.ts';
import { root, type StageOptions, templatesOf } from './synth.ts';

// npm run ops -- rehearse
// npm run ops -- rehearse --stage prod
// npm run ops -- rehearse --emulator

/** https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html */
const unreservedMin = 100;

export const program = new OpsCommand('rehearse')
  .description(
    'Rehearse the deployment of a stage as far as possible without an AWS account: make its templates, and look for what ' +
      'CloudFormation would refuse. The exit code is 1 when something is wrong.',
  )
  .option('--stage <name>', 'the stage', 'dev')
  .option('--stages <folder>', 'the folder with the stages; infra/stacks/stages by default', parseDirectory)
  .option('--emulator', 'deploy, use and destroy dev on an emulator of AWS instead; this needs Python')
  .action(rehearse);

async function rehearse({ emulator, ...options }: StageOptions & { emulator?: boolean }): Promise<void> {
  if (emulator) {
    const { rehearseOnEmulator } = await import('./emulator/rehearsal.ts');
    return rehearseOnEmulator();
  }
  const { templates, assembly } = await templatesOf(options);
  console.log(`The templates are in ${relative(root, assembly)}, and cdk-nag finds nothing in them.`);
  const circle = circularDependencies(templates);
  if (circle.length > 0) throw new OpsError(`These depend on each other in a circle: ${circle.join(', ')}.`);
  const { batches } = concurrencyOf(templates.get(`public-api-${options.stage}`) as CfnTemplate);
  const reserved = [...templates.values()].reduce((sum, one) => sum + concurrencyOf(one).reserved, 0);
  const least = reserved === 0 ? '' : `, and must be ${reserved + unreservedMin}`;
  console.log(
    `The pipeline may work on ${batches} batches at once, and ${reserved} executions are reserved, so the concurrency of the AWS account ` +
      `should be ${2 * batches} or more${least}.`,
  );
  console.log('docs/aws-checks.md lists what only a real deployment can show.');
}
