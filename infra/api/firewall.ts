import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { type ErrorStatus, errorBody } from '../../lib/apiError.ts';
import { answerHeaders } from '../../lib/contract/answer.ts';
import { platformMessages } from '../../lib/contract/reference/errorDescriptions.ts';
import { bodyBytesMax } from '../../lib/contract/values/json.ts';
import type { StageSettings } from '../stages.ts';
import { numeralsAbove } from './numeralsAbove.ts';

type Rule = CfnWebACL.RuleProperty;
type FirewallProps = NonNullable<StageSettings['firewall']> & { stage: Stage };

/**
 * Rules of AWS that would refuse what the contract allows, so they only count. Texts may hold whatever people write
 * (`<script>`, `../`), the address of a webhook may have an IP address in it, bodies may be larger than 8 KB, and no client has to say
 * who it is. Ours parse a body strictly, and nothing that they store is ever executed.
 * https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-baseline.html
 */
const onlyCounted = [
  'CrossSiteScripting_BODY',
  'EC2MetaDataSSRF_BODY',
  'GenericLFI_BODY',
  'GenericRFI_BODY',
  'NoUserAgent_HEADER',
  'SizeRestrictions_BODY',
];

/** Counted, but without samples of requests: those would show the keys in their headers to whoever opens the console. */
const seenAs = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});

/** AWS's own, by its name. What it blocks, the API answers with its gateway response WAF_FILTERED. */
const managed = (name: string, counted: readonly string[] = []): Omit<Rule, 'priority'> => ({
  name,
  overrideAction: { none: {} },
  statement: {
    managedRuleGroupStatement: {
      vendorName: 'AWS',
      name,
      ...(counted.length > 0
        ? { ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })) }
        : {}),
    },
  },
  visibilityConfig: seenAs(name),
});

/** Such an answer goes out as it is here, past the gateway, so it has no X-Request-Id: there is no static one. */
const answers = {
  TooLarge: { status: 413, message: platformMessages.tooLarge, headers: {} },
  TooMany: { status: 429, message: platformMessages.throttled, headers: { 'Retry-After': '60' } },
} satisfies Record<string, { status: ErrorStatus; message: string; headers: Record<string, string> }>;

type AnswerName = keyof typeof answers;

const blocking = (name: AnswerName, statement: CfnWebACL.StatementProperty): Omit<Rule, 'priority'> => ({
  name,
  action: {
    block: {
      customResponse: {
        responseCode: answers[name].status,
        customResponseBodyKey: name,
        responseHeaders: Object.entries({ ...answerHeaders, ...answers[name].headers }).map(
          ([header, value]) => ({ name: header, value }),
        ),
      },
    },
  },
  statement,
  visibilityConfig: seenAs(name),
});

/**
 * By what the request says of itself: of a body the firewall sees 16 KB, 64 KB at most, and ours may have four times as
 * much. A body without this header that is too large is refused by the function.
 * https://docs.aws.amazon.com/waf/latest/developerguide/web-acl-setting-body-inspection-limit.html
 */
const tooLarge = blocking('TooLarge', {
  regexMatchStatement: {
    fieldToMatch: { singleHeader: { Name: 'content-length' } },
    regexString: numeralsAbove(bodyBytesMax),
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
});

const tooMany = (limit: number) =>
  blocking('TooMany', { rateBasedStatement: { aggregateKeyType: 'IP', limit, evaluationWindowSec: 300 } });

/** A web application firewall before the API, in whose answers every error keeps its one shape. */
export class Firewall extends Construct {
  constructor(scope: Construct, id: string, { stage, requestsPerAddress }: FirewallProps) {
    super(scope, id);
    const rules = [
      tooMany(requestsPerAddress),
      tooLarge,
      managed('AWSManagedRulesKnownBadInputsRuleSet'),
      managed('AWSManagedRulesCommonRuleSet', onlyCounted),
    ];
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      customResponseBodies: Object.fromEntries(
        Object.entries(answers).map(([name, { status, message }]) => [
          name,
          { contentType: 'APPLICATION_JSON', content: JSON.stringify(errorBody(status, message)) },
        ]),
      ),
      rules: rules.map((rule, priority) => ({ ...rule, priority })),
      visibilityConfig: seenAs('Firewall'),
    });
    new CfnWebACLAssociation(this, 'Association', {
      resourceArn: stage.stageArn,
      webAclArn: acl.attrArn,
    });
  }
}
