import { Stack } from 'aws-cdk-lib';
import { CfnInsightRule, type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { period } from './metrics.ts';

/** Whose lines of a log are counted. */
interface CountedLines {
  logs: ILogGroup;
  /** The field that says whose a line is. */
  by: '$.key_id' | '$.account';
  /** Which lines are counted: those in which a field begins so. */
  where: { Match: string; StartsWith: string[] };
}

/**
 * How much comes from the one that most comes from: a metric for each key or account would cost money for each of them.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/ContributorInsights-GraphReportData.html
 */
export class Busiest extends Construct {
  readonly metric: IMetric;

  constructor(scope: Construct, id: string, { logs, by, where }: CountedLines) {
    super(scope, id);
    const ruleName = `${Stack.of(this).stackName}-${id}`;
    new CfnInsightRule(this, 'Rule', {
      ruleName,
      ruleState: 'ENABLED',
      ruleBody: Stack.of(this).toJsonString({
        Schema: { Name: 'CloudWatchLogRule', Version: 1 },
        LogGroupNames: [logs.logGroupName],
        LogFormat: 'JSON',
        Contribution: { Keys: [by], Filters: [where] },
        AggregateOn: 'Count',
      }),
    });
    this.metric = new MathExpression({
      expression: `INSIGHT_RULE_METRIC('${ruleName}', 'MaxContributorValue')`,
      usingMetrics: {},
      label: id,
      period,
    });
  }
}
