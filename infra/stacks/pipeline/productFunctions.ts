import { Duration } from 'aws-cdk-lib';
import { ArnPrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { ApiFunction, type FunctionProps } from '../api/apiFunction.ts';

/** Leaves time for conflicts with other writers of the same items. */
const timeout = Duration.seconds(30);

/** The functions without a URL with which the product deletes a record and waits for it, and asks about its records. */
export class ProductFunctions extends Construct {
  readonly deleteRecord: IFunction;
  readonly askRecords: IFunction;

  constructor(scope: Construct, id: string, props: FunctionProps) {
    super(scope, id);
    this.deleteRecord = new ApiFunction(this, 'deleteRecord', { ...props, timeout }).lambda;
    this.askRecords = new ApiFunction(this, 'askRecords', { ...props, timeout }).lambda;
    const { productRole } = props.settings;
    // A policy of the function also works for a role in another AWS account.
    if (productRole !== undefined)
      for (const lambda of [this.deleteRecord, this.askRecords])
        lambda.addPermission('ProductRole', { principal: new ArnPrincipal(productRole) });
  }
}
