import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { currentAssembly } from '../../../infra/local/template/assembly.ts';
import { errorNames } from '../../../lib/errors/apiError.ts';
import { removeFolder } from '../../support/stack/stackProcess.ts';
import { type CfnResource, fullStages, type Synthesized, synthesize } from '../../support/stack/synth.ts';

// A stage that sets all that can be set, and most of it otherwise than dev and prod.

let full: Synthesized;
beforeAll(async () => {
  full = synthesize('full', { stages: fullStages, bundles: join(await currentAssembly(), 'bundle') });
});
afterAll(() => removeFolder(full.folder));

const only = (type: string): [string, CfnResource] => {
  const found = full.publicApi.ofType(type);
  expect(found, type).toHaveLength(1);
  return found[0] as [string, CfnResource];
};

describe('the firewall', () => {
  const acl = () => only('AWS::WAFv2::WebACL')[1].Properties;
  // biome-ignore lint/suspicious/noExplicitAny: a rule of any kind
  const rule = (name: string): any => acl().Rules.find(({ Name }: { Name: string }) => Name === name);

  test('stands before the stage, and lets through what no rule blocks', () => {
    const [, { Properties }] = only('AWS::WAFv2::WebACLAssociation');
    expect(JSON.stringify(Properties.ResourceArn)).toMatch(
      new RegExp(`/stages/",\\{"Ref":"${only('AWS::ApiGateway::Stage')[0]}"\\}`),
    );
    expect(Properties.WebACLArn).toEqual({ 'Fn::GetAtt': [only('AWS::WAFv2::WebACL')[0], 'Arn'] });
    expect(acl()).toMatchObject({ Scope: 'REGIONAL', DefaultAction: { Allow: {} } });
  });

  test('blocks an address that sends more than the stage allows, and a body that says it is too large', () => {
    expect(rule('TooMany').Statement).toEqual({
      RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 300, Limit: 5000 },
    });
    expect(rule('TooLarge').Statement.RegexMatchStatement.FieldToMatch).toEqual({
      SingleHeader: { Name: 'content-length' },
    });
  });

  test.each([
    ['TooLarge', 413],
    ['TooMany', 429],
  ] as const)('%s is answered %i in the one shape of errors', (name, status) => {
    const { CustomResponse } = rule(name).Action.Block;
    expect(CustomResponse).toMatchObject({ ResponseCode: status, CustomResponseBodyKey: name });
    const { Content, ContentType } = acl().CustomResponseBodies[name];
    expect(ContentType).toBe('APPLICATION_JSON');
    expect(JSON.parse(Content)).toEqual({ error: errorNames[status], message: expect.any(String) });
    const headers = CustomResponse.ResponseHeaders.map(({ Name }: { Name: string }) => Name);
    expect(headers).toEqual(expect.arrayContaining(['Cache-Control', 'X-Content-Type-Options']));
    expect(headers.includes('Retry-After')).toBe(status === 429);
  });
});
