import { RemovalPolicy } from 'aws-cdk-lib';
import type { StageSettings } from './stages.ts';

/** What happens to what holds data when its stack goes. */
export const removalPolicyOf = ({ keepData }: Pick<StageSettings, 'keepData'>): RemovalPolicy =>
  keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
