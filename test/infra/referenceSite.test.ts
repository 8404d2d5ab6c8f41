import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Stack, Token } from 'aws-cdk-lib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ReferenceSite } from '../../infra/reference/referenceSite.ts';
import { removeFolder, temporaryFolder } from '../support/stack/stackProcess.ts';
import { readAssembly, type Synthesized } from '../support/stack/synth.ts';

let template: Synthesized;
beforeAll(() => {
  const outdir = temporaryFolder();
  const app = new App({ outdir });
  new ReferenceSite(new Stack(app, 'site'), 'Reference', {
    baseUrl: Token.asString({ Ref: 'AWS::StackName' }),
    settings: { logRetentionDays: 14 },
  });
  app.synth();
  template = readAssembly(outdir);
});
afterAll(() => removeFolder(template.folder));

const only = (type: string) => template.ofType(type)[0]?.[1].Properties;

test('nobody reads the bucket but the distribution, and nobody without TLS', () => {
  expect(Object.values(only('AWS::S3::Bucket').PublicAccessBlockConfiguration)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  const { Statement } = only('AWS::S3::BucketPolicy').PolicyDocument;
  const allowed = Statement.filter(({ Effect }: { Effect: string }) => Effect === 'Allow');
  expect(allowed).toMatchObject([
    {
      Action: 's3:GetObject',
      Principal: { Service: 'cloudfront.amazonaws.com' },
      Condition: { StringEquals: { 'AWS:SourceArn': expect.anything() } },
    },
  ]);
  expect(Statement).toContainEqual(
    expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
  );
});

test('browsers are led to https, and to the page at the root', () => {
  const { DefaultRootObject, DefaultCacheBehavior } = only(
    'AWS::CloudFront::Distribution',
  ).DistributionConfig;
  expect(DefaultRootObject).toBe('index.html');
  expect(DefaultCacheBehavior).toMatchObject({ ViewerProtocolPolicy: 'redirect-to-https', Compress: true });
});

test('the files are those of the page, and the document names the API as it is deployed', () => {
  const files = globSync('asset.*/*', { cwd: template.folder });
  const named = (name: string) => files.filter((file) => file.endsWith(`/${name}`));
  for (const name of ['index.html', 'page.css', 'page.js', 'scalar.js', 'icon.svg', 'openapi.json'])
    expect(named(name), name).toHaveLength(1);
  const { SourceMarkers } = only('Custom::CDKBucketDeployment');
  const markers: Record<string, unknown> = Object.assign({}, ...SourceMarkers);
  const document = JSON.parse(
    readFileSync(join(template.folder, named('openapi.json')[0] as string), 'utf8'),
  );
  const [, inGuide] = /^export URL=(.+)$/m.exec(document.info.description) ?? [];
  for (const marker of [document.servers[0].url, inGuide])
    expect(markers[marker]).toEqual({ Ref: 'AWS::StackName' });
});
