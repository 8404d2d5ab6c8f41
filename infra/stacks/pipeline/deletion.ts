import { Duration } from 'aws-cdk-lib';
import { ArnPrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { ApiFunction, type FunctionProps } from '../api/apiFunction.ts';

/** Others may be at the same items. */
const timeout = Duration.seconds(30);

/** The function without a URL with which the product deletes a record, and waits until it is deleted. */
export class Deletion extends Construct {
  readonly lambda: IFunction;

  constructor(scope: Construct, id: string, props: FunctionProps) {
    super(scope, id);
    this.lambda = new ApiFunction(this, 'deleteRecord', { ...props, timeout }).lambda;
    const { productRole } = props.settings;
    // A policy of the function also reaches a role in another AWS account.
    if (productRole !== undefined)
      this.lambda.addPermission('ProductRole', { principal: new ArnPrincipal(productRole) });
  }
}
