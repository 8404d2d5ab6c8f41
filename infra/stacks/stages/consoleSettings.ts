import { brandSettings } from './brandSettings.ts';
import { group, hostName, roleArn, textLike, textsLike } from './settingRules.ts';

/** Returns the part of a host that all hosts of its site share at least. For `.co.uk` and the like, the shared part is longer. */
const siteOf = (host: string): string => host.split('.').slice(-2).join('.');

/** A CSP header of CloudFront has at most 1783 characters. Five origins with the longest names fit into it. */
const embeddersMax = 5;

/** Returns the host of an https origin. The origin may be malformed, because this can run before the validation. */
const hostIn = (origin: string): string => origin.replace(/^https:\/\/|:\d+$/g, '');

/** Settings > Integrations, where an account creates its keys: the page at `https://<domain>/console/`, in its own stack. */
export const consoleSettings = () =>
  group({
    /** Without it, the page has CloudFront's address. In your own DNS, create an alias for the output ConsoleTarget. */
    domain: textLike(hostName, 'a host name in lower case like "integrations.example.com"').optional(),
    certificateArn: textLike(
      /^arn:aws[a-z-]*:acm:us-east-1:\d{12}:certificate\/[A-Za-z0-9-]+$/,
      'the ARN of a certificate of ACM in us-east-1, the region of CloudFront, like "arn:aws:acm:us-east-1:<account>:certificate/<id>"',
    ).optional(),
    /** The pages of the product that may show the console in a frame. They must be on the same site, or browsers send no cookie. */
    embedIn: textsLike(
      /^https:\/\/(?=.{4,253}(:|$))([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}(:[1-9]\d{0,4})?$/,
      embeddersMax,
      `at most ${embeddersMax} different origins like "https://app.example.com"`,
    ).default([]),
    /** The page of the product where a person gets a new link after a session has ended. */
    renewUrl: textLike(
      /^https:\/\/[^\s"'<>\\]{1,2000}$/,
      'an address like "https://app.example.com/settings/integrations"',
    ).optional(),
    /** The reference of the public API, to which the page links: the output ReferenceUrl, or wherever you publish it. */
    referenceUrl: textLike(
      /^https:\/\/[^\s"'<>\\#]{1,2000}$/,
      'an address without a fragment like "https://docs.example.com/"',
    ).optional(),
    brand: brandSettings().optional(),
    /** The role of the product's backend, which may create links and end sessions. */
    linkRole: roleArn().optional(),
  })
    .refine((given) => 'domain' in given === 'certificateArn' in given, {
      path: ['certificateArn'],
      error: 'must be given with domain, and domain with certificateArn: CloudFront needs both',
    })
    .refine(
      ({ domain = '', embedIn }) => embedIn.every((origin) => siteOf(hostIn(origin)) === siteOf(domain)),
      {
        path: ['embedIn'],
        when: ({ issues }) => issues.length === 0,
        error:
          'must be origins of the site of domain, like "https://app.example.com" for "integrations.example.com": in a frame of another site, browsers send no cookie of the console',
      },
    );
