import { runInNewContext } from 'node:vm';
import { App, Stack, Token } from 'aws-cdk-lib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ReferenceSite } from '../../../infra/stacks/reference/referenceSite.ts';
import { removeFolder, temporaryFolder } from '../../support/stack/stackProcess.ts';
import { readAssembly, type Synthesized } from '../../support/stack/synth.ts';

let template: Synthesized;
beforeAll(() => {
  const outdir = temporaryFolder();
  const app = new App({ outdir });
  new ReferenceSite(new Stack(app, 'site'), 'Reference', {
    baseUrl: Token.asString({ Ref: 'AWS::StackName' }),
    settings: { logRetentionDays: 14, securityContact: 'https://example.com/security' },
  });
  app.synth();
  template = readAssembly(outdir);
});
afterAll(() => removeFolder(template.folder));

const only = (type: string) => template.ofType(type)[0]?.[1].Properties;

test('whom to tell about a weakness is said until a time that is always ahead, and every other request is passed on', () => {
  const { FunctionCode } = only('AWS::CloudFront::Function');
  const { DefaultCacheBehavior } = only('AWS::CloudFront::Distribution').DistributionConfig;
  expect(DefaultCacheBehavior.FunctionAssociations).toMatchObject([{ EventType: 'viewer-request' }]);
  const handle = (uri: string, now: number) =>
    runInNewContext(
      `Date.now = () => ${now}; ${FunctionCode}; handler({ request: { uri: ${JSON.stringify(uri)} } })`,
    );
  for (const now of [Date.now(), Date.now() + 5 * 365 * 24 * 3_600_000]) {
    const { statusCode, headers, body } = handle('/.well-known/security.txt', now);
    expect([statusCode, headers['content-type'].value]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(body.data).toMatch(/^Contact: https:\/\/example\.com\/security$/m);
    const [, expires] = /^Expires: (.*)$/m.exec(body.data) ?? [];
    expect(Date.parse(expires as string)).toBeGreaterThan(now);
    expect(handle('/index.html', now)).toEqual({ uri: '/index.html' });
  }
});
