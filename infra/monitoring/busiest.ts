import { Stack } from 'aws-cdk-lib';
import { CfnInsightRule, type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { period } from './metrics.ts';

/** The log lines that a rule counts. */
interface CountedLines {
  logs: ILogGroup;
  /** The field by which lines are counted. */
  by: '$.key_id' | '$.account';
  /** Only lines in which a field begins so are counted. */
  where: { Match: string; StartsWith: string[] };
}

/**
 * The number of log lines of the key or account that has the most: a metric for each key or account would cost more.
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
