import { Duration } from 'aws-cdk-lib';
import { ArnPrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { ApiFunction, type FunctionProps } from '../api/apiFunction.ts';

/** A contact of very many versions takes long. What is left then is erased by the next call. */
const timeout = Duration.minutes(2);

/** The function without a URL with which the product erases a contact. */
export class Erasure extends Construct {
  readonly lambda: IFunction;

  constructor(scope: Construct, id: string, props: FunctionProps) {
    super(scope, id);
    this.lambda = new ApiFunction(this, 'eraseContact', { ...props, timeout }).lambda;
    const { productRole } = props.settings;
    // By a policy of the function, which also reaches a role in another AWS account.
    if (productRole !== undefined)
      this.lambda.addPermission('ProductRole', { principal: new ArnPrincipal(productRole) });
  }
}
