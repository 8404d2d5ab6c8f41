import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Acknowledges findings of cdk-nag's AWS Solutions rules for a construct and its children. The synthesis fails for a finding that is not
 * acknowledged, and the tests fail for an acknowledgement without a finding.
 * @param findings the reasons, by rule (`COG4`) or by finding (`IAM5[Resource::*]`)
 */
export function acknowledgeFindings(construct: IConstruct, findings: Record<string, string>): void {
  const acknowledged = Object.entries(findings).map(([id, reason]) => ({
    id: `AwsSolutions-${id}`,
    reason,
  }));
  Validations.of(construct).acknowledge(...acknowledged);
}
