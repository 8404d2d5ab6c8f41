import { RemovalPolicy } from 'aws-cdk-lib';
import type { StageSettings } from '../stages/stages.ts';

/**
 * Decides what happens to a resource with data when its stack is deleted. If a first deployment fails, it is deleted, because it is still
 * empty.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-attribute-deletionpolicy.html
 */
export const removalPolicyOf = ({ keepData }: Pick<StageSettings, 'keepData'>): RemovalPolicy =>
  keepData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
