import { Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, type CfnAlias, type IFunction, type IVersion } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { acknowledgeFindings } from '../acknowledgeFindings.ts';
import type { StageSettings } from '../stages/stages.ts';
import type { ApiFunction } from './apiFunction.ts';

/** How many failures roll back a release at least. Fewer may have other causes. */
const failuresMin = 3;

/** The failure rate above which a release is rolled back, in percent of requests. */
const failuresPercent = 1;

const period = Duration.minutes(1);

/**
 * Lambda's control plane allows 15 requests a second for an account, and CodeDeploy fails a deployment whose requests are throttled.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const deploymentsAtOnce = 5;

/** After how many minutes the credentials of a deployment expire, and how many minutes it needs apart from moving traffic. */
const [deploymentMax, otherMinutes] = [120, 20];

/** Returns how many minutes it takes to move traffic: `Canary10Percent5Minutes` waits once, and `Linear10PercentEvery1Minute` before each 10 %. */
const minutesOf = (pace: string): number =>
  Number(/(\d+)Minutes?$/.exec(pace)?.[1]) * (pace.startsWith('Linear') ? 10 : 1);

const aliasName = 'live';

interface GradualDeploymentProps {
  /** The name of the CodeDeploy configuration, without its prefix. */
  pace: NonNullable<StageSettings['gradualDeployment']>;
  /** The dimensions of the API's metrics, as literals, because a reference to the stage would be a circular dependency. */
  api: { ApiName: string; Stage: string };
}

/**
 * Moves traffic to new code of a function gradually, and rolls back if the new code fails. Only functions behind API Gateway need this, because
 * failed messages and changes of the pipeline are retried.
 */
export class GradualDeployment extends Construct {
  readonly alarms: Alarm[] = [];
  private readonly common: Pick<
    ConstructorParameters<typeof LambdaDeploymentGroup>[2],
    'application' | 'deploymentConfig' | 'role'
  >;
  private readonly api: GradualDeploymentProps['api'];
  private readonly aliases: Alias[] = [];

  constructor(scope: Construct, id: string, { pace, api }: GradualDeploymentProps) {
    super(scope, id);
    this.api = api;
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    acknowledgeFindings(role, {
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
    };
    this.node.addValidation({ validate: () => this.tooSlow(pace) });
  }

  /** Refuses paces at which a deployment would outlive its credentials and stop halfway. */
  private tooSlow(pace: string): string[] {
    const waves = Math.ceil(this.aliases.length / deploymentsAtOnce);
    const minutes = waves * minutesOf(pace) + otherMinutes;
    if (minutes <= deploymentMax) return [];
    return [
      `With gradualDeployment ${pace}, ${this.aliases.length} functions take ${minutes} minutes, ${deploymentsAtOnce} at a time, and a deployment has ${deploymentMax}: choose a faster one`,
    ];
  }

  /** Returns the alias of the live code. API Gateway must invoke it instead of the function. */
  liveCodeOf(of: ApiFunction): IFunction {
    // The cast is needed because `role` may be undefined in CDK's classes, but missing in its interfaces (exactOptionalPropertyTypes).
    const version = of.lambda.currentVersion as IVersion;
    const alias = new Alias(this, `${of.node.id}Live`, { aliasName, version });
    const alarm = this.alarm(of, version);
    new LambdaDeploymentGroup(this, `${of.node.id}Deployment`, { ...this.common, alias, alarms: [alarm] });
    this.limitParallelDeployments(alias);
    return alias as IFunction;
  }

  /** Limits parallel deployments to `deploymentsAtOnce`: each alias depends on the one that many places before it. */
  private limitParallelDeployments(alias: Alias): void {
    const earlier = this.aliases.at(-deploymentsAtOnce);
    if (this.aliases.push(alias) > deploymentsAtOnce && earlier)
      (alias.node.defaultChild as CfnAlias).addResourceDependency(earlier.node.defaultChild as CfnAlias);
  }

  private alarm(of: ApiFunction, version: IVersion): Alarm {
    const { id } = of.node;
    const { failures, requests } = id === 'authorizer' ? this.apiMetrics() : versionMetrics(of, version);
    const alarm = new Alarm(this, `${id}Fails`, {
      alarmName: `${Stack.of(this).stackName} A release of ${id} fails`,
      alarmDescription: `Requests were answered with a 5xx while new code of ${id} was brought into use, and the old one is back. What to do: docs/runbook.md#a-release-fails`,
      metric: new MathExpression({
        expression: `IF(failures >= ${failuresMin}, 100 * failures / requests, 0)`,
        usingMetrics: { failures, requests },
        label: '% of requests',
        period,
      }),
      threshold: failuresPercent,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    this.alarms.push(alarm);
    return alarm;
  }

  /** Returns the metrics for the authorizer. It throws for each invalid key, so Lambda's Errors do not show its failures, but 5XXError does. */
  private apiMetrics() {
    const of = (metricName: string) =>
      new Metric({
        namespace: 'AWS/ApiGateway',
        metricName,
        dimensionsMap: this.api,
        statistic: Stats.SUM,
        period,
      });
    return { failures: of('5XXError'), requests: of('Count') };
  }
}

/**
 * Returns the metrics of the new version only, so that failures of the old code do not stop a release that fixes them. Failures are crashed
 * invocations, which Lambda counts, and 5xx responses, which the function counts (lib/logs/metrics.ts). Lambda provides metrics by version
 * while an alias divides traffic between two versions.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-view.html
 */
function versionMetrics({ lambda, node }: ApiFunction, { version }: IVersion) {
  const dimensionsMap = {
    FunctionName: lambda.functionName,
    Resource: `${lambda.functionName}:${aliasName}`,
    ExecutedVersion: version,
  };
  const ofLambda = (metricName: string) =>
    new Metric({ namespace: 'AWS/Lambda', metricName, dimensionsMap, statistic: Stats.SUM, period });
  const answers = new Metric({
    namespace: Stack.of(lambda).stackName,
    metricName: 'duration_ms',
    dimensionsMap: { operation: node.id, outcome: '5xx', version },
    statistic: Stats.SAMPLE_COUNT,
    period,
  });
  const failures = new MathExpression({
    expression: 'SUM([died, answered])',
    usingMetrics: { died: ofLambda('Errors'), answered: answers },
    period,
  });
  return { failures, requests: ofLambda('Invocations') };
}
