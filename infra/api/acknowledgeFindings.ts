import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Says why it is right here what cdk-nag's rules for AWS Solutions find in a construct, or in what it is made of. A finding
 * that nobody has explained ends the synth, and so does an explanation of nothing the tests.
 * @param findings by the rule, `COG4`, or by one thing that it finds, `IAM5[Resource::*]`
 */
export function acknowledgeFindings(construct: IConstruct, findings: Record<string, string>): void {
  const acknowledged = Object.entries(findings).map(([id, reason]) => ({
    id: `AwsSolutions-${id}`,
    reason,
  }));
  Validations.of(construct).acknowledge(...acknowledged);
}
