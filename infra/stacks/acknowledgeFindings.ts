import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Acknowledges findings of cdk-nag's AWS Solutions rules for a construct and its children. A finding that is not
 * acknowledged fails the synth. An acknowledgement without a finding fails the tests.
 * @param findings the reasons, by rule (`COG4`) or by finding (`IAM5[Resource::*]`)
 */
export function acknowledgeFindings(construct: IConstruct, findings: Record<string, string>): void {
  const acknowledged = Object.entries(findings).map(([id, reason]) => ({
    id: `AwsSolutions-${id}`,
    reason,
  }));
  Validations.of(construct).acknowledge(...acknowledged);
}
