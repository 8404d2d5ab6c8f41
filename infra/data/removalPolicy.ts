import { RemovalPolicy } from 'aws-cdk-lib';
import type { StageSettings } from '../stages.ts';

/**
 * What happens to what holds data when its stack goes. A first deployment that fails takes it away again, as nothing is in it yet.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-attribute-deletionpolicy.html
 */
export const removalPolicyOf = ({ keepData }: Pick<StageSettings, 'keepData'>): RemovalPolicy =>
  keepData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
