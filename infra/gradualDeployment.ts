import { Duration, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Alarm, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, type IFunction, type IVersion } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { ApiFunction } from './apiFunction.ts';
import { explain } from './explain.ts';
import type { StageSettings } from './stages.ts';

/** A single one may have any cause. A release that is broken fails again and again. */
const failuresPerMinute = 3;

interface GradualDeploymentProps {
  rest: RestApi;
  /** How traffic moves to new code, by the name that CodeDeploy has for it. */
  pace: NonNullable<StageSettings['gradualDeployment']>;
}

/**
 * Brings new code of functions into use little by little, and the old one back when requests fail. Only what a request
 * waits for is worth that: what the functions of the pipeline fail at comes to them again.
 */
export class GradualDeployment extends Construct {
  private readonly common: Pick<
    ConstructorParameters<typeof LambdaDeploymentGroup>[2],
    'application' | 'deploymentConfig' | 'role' | 'alarms'
  >;

  constructor(scope: Construct, id: string, { rest, pace }: GradualDeploymentProps) {
    super(scope, id);
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    explain(role, {
      'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]':
        'The narrower one of the two policies that AWS keeps for CodeDeploy to move the traffic of Lambdas',
    });
    this.common = {
      application: new LambdaApplication(this, 'Application'),
      deploymentConfig: LambdaDeploymentConfig.fromLambdaDeploymentConfigName(
        this,
        'Pace',
        `CodeDeployDefault.Lambda${pace}`,
      ),
      role,
      alarms: [this.alarm(rest)],
    };
  }

  /** What is to be called instead of the function: the code of it that is in use. */
  liveCodeOf({ lambda, node: { id } }: ApiFunction): IFunction {
    // CDK's classes have a role that may be undefined, its interfaces one that may be left out: to our compiler these are two things.
    const version = lambda.currentVersion as IVersion;
    const alias = new Alias(this, `${id}Live`, { aliasName: 'live', version });
    new LambdaDeploymentGroup(this, `${id}Deployment`, { ...this.common, alias });
    return alias as IFunction;
  }

  /** One for all: a function that fails, dies or hangs, the authorizer too, is a 5xx of the gateway. */
  private alarm({ deploymentStage }: RestApi): Alarm {
    return new Alarm(this, 'ReleaseFails', {
      alarmName: `${Stack.of(this).stackName} A release fails`,
      alarmDescription:
        'Requests were answered with a 5xx; a release under way is taken back. What to do: README.md#a-release-fails',
      metric: deploymentStage.metricServerError({ statistic: Stats.SUM, period: Duration.minutes(1) }),
      threshold: failuresPerMinute,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}
