import { Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, type CfnAlias, type IFunction, type IVersion } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { StageSettings } from '../stages.ts';
import { acknowledgeFindings } from './acknowledgeFindings.ts';
import type { ApiFunction } from './apiFunction.ts';

/** A single failure may have any cause. */
const failuresMin = 3;

/** Of the requests that are watched, in percent. */
const failuresPercent = 1;

const period = Duration.minutes(1);

/**
 * Lambda's control plane takes 15 calls a second of an account, and CodeDeploy gives a deployment up whose calls were refused.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const deploymentsAtOnce = 5;

const aliasName = 'live';

interface GradualDeploymentProps {
  /** How traffic moves to new code, by the name that CodeDeploy has for it. */
  pace: NonNullable<StageSettings['gradualDeployment']>;
  /** The dimensions of the API's metrics, as literals: a reference to its stage would close a circle of resources. */
  api: { ApiName: string; Stage: string };
}

/**
 * Brings new code of functions into use little by little, and the old one back when it fails. Only what a request
 * waits for is worth that: what the functions of the pipeline fail at comes to them again.
 */
export class GradualDeployment extends Construct {
  /** One for each function. */
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
  }

  /** What is to be called instead of the function: the code of it that is in use. */
  liveCodeOf(of: ApiFunction): IFunction {
    // CDK's classes have a role that may be undefined, its interfaces one that may be left out: to our compiler these are two things.
    const version = of.lambda.currentVersion as IVersion;
    const alias = new Alias(this, `${of.node.id}Live`, { aliasName, version });
    const alarm = this.alarm(of, version);
    new LambdaDeploymentGroup(this, `${of.node.id}Deployment`, { ...this.common, alias, alarms: [alarm] });
    this.limitParallelDeployments(alias);
    return alias as IFunction;
  }

  /** Each alias waits for the one that is so many before it. */
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

  /** The authorizer throws for every key that it refuses, so Lambda cannot tell its failures: the gateway's answers do. */
  private apiMetrics(): ReleaseMetrics {
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

interface ReleaseMetrics {
  failures: IMetric;
  requests: IMetric;
}

/**
 * What the new code does and not the old one: so a release that mends a failure is not stopped by it. Failures are the
 * invocations that died, which Lambda counts, and the answers with a 5xx, which the function counts itself (lib/metrics.ts).
 * Lambda counts by version while an alias divides its traffic between two.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-view.html
 */
function versionMetrics({ lambda, node }: ApiFunction, { version }: IVersion): ReleaseMetrics {
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
