import { Duration, Stack } from 'aws-cdk-lib';
import { CfnInsightRule, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { period } from './alarmMetrics.ts';
import type { Counted } from './sources.ts';

interface CountedLines {
  logs: ILogGroup;
  by: '$.key_id' | '$.account';
  /** Counts only lines in which a field begins with a text. */
  where: { Match: string; StartsWith: string[] };
}

/**
 * Counts log lines by key or account. A separate metric for each key or account would cost more.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/ContributorInsights-GraphReportData.html
 */
export class LineCounts extends Construct {
  private readonly ruleName: string;

  constructor(scope: Construct, id: string, { logs, by, where }: CountedLines) {
    super(scope, id);
    this.ruleName = `${Stack.of(this).stackName}-${id}`;
    new CfnInsightRule(this, 'Rule', {
      ruleName: this.ruleName,
      ruleState: 'ENABLED',
      ruleBody: Stack.of(this).toJsonString({
        Schema: { Name: 'CloudWatchLogRule', Version: 1 },
        LogGroupNames: [logs.logGroupName],
        LogFormat: 'JSON',
        Contribution: { Keys: [by], Filters: [where] },
        AggregateOn: 'Count',
      }),
    });
  }

  /** Returns how many lines the busiest key or account has, or how many keys or accounts have lines. */
  metric(name: 'MaxContributorValue' | 'UniqueContributors', time: Duration = period): MathExpression {
    return new MathExpression({
      expression: `INSIGHT_RULE_METRIC('${this.ruleName}', '${name}')`,
      usingMetrics: {},
      label: this.node.id,
      period: time,
    });
  }
}

export const lineCountsOf = (scope: Construct, access: ILogGroup, attempts: ILogGroup): Counted => ({
  requestsOfKey: new LineCounts(scope, 'RequestsByKey', {
    logs: access,
    by: '$.key_id',
    where: { Match: '$.key_id', StartsWith: ['key_'] },
  }).metric('MaxContributorValue'),
  attemptsOfAccount: new LineCounts(scope, 'AttemptsByAccount', {
    logs: attempts,
    by: '$.account',
    where: { Match: '$.message', StartsWith: ['attempt'] },
  }).metric('MaxContributorValue'),
  suspendedAccounts: new LineCounts(scope, 'SuspensionsByAccount', {
    logs: attempts,
    by: '$.account',
    where: { Match: '$.message', StartsWith: ['a webhook subscription was suspended'] },
  }).metric('UniqueContributors', Duration.hours(1)),
});
