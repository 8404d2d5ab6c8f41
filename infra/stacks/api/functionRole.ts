import {
  type AddToPrincipalPolicyResult,
  PolicyDocument,
  type PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/** The role of a function, with its permissions inline. A separate policy would be another one of a stack's 500 resources. */
export class FunctionRole extends Role {
  private readonly allowed: PolicyDocument;

  constructor(scope: Construct, id: string) {
    const allowed = new PolicyDocument();
    super(scope, id, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { Own: allowed },
    });
    this.allowed = allowed;
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.allowed.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}
