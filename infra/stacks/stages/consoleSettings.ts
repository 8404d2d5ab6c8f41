import { brandSettings } from './brand.ts';
import { group, hostName, roleArn, textLike, textsLike } from './settingRules.ts';

/** The end of a host that all hosts of its site share at least; `.co.uk` and the like are longer. */
const siteOf = (host: string): string => host.split('.').slice(-2).join('.');

/** A CSP header of CloudFront has 1783 characters at most, which five origins of the longest names do not exceed. */
const embeddersMax = 5;

/** The host of an origin of https, of which the form may not have been checked yet. */
const hostIn = (origin: string): string => origin.replace(/^https:\/\/|:\d+$/g, '');

/** Settings > Integrations, where an account makes its keys: the page at `https://<domain>/console/`, in a stack of its own. */
export const consoleSettings = () =>
  group({
    /** Without it, the page is at the address that CloudFront gives. Make an alias of the output ConsoleTarget in your own DNS. */
    domain: textLike(hostName, 'a host name in lower case like "integrations.example.com"').optional(),
    certificateArn: textLike(
      /^arn:aws[a-z-]*:acm:us-east-1:\d{12}:certificate\/[A-Za-z0-9-]+$/,
      'the ARN of a certificate of ACM in us-east-1, the region of CloudFront, like "arn:aws:acm:us-east-1:<account>:certificate/<id>"',
    ).optional(),
    /** The pages of the product that may show the console in a frame. They must be of the same site, or browsers send no cookie. */
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
    /** The reference of the public API, to which the page links: the output ReferenceUrl, or where else you publish it. */
    referenceUrl: textLike(
      /^https:\/\/[^\s"'<>\\#]{1,2000}$/,
      'an address without a fragment like "https://docs.example.com/"',
    ).optional(),
    brand: brandSettings().optional(),
    /** The role of the product's backend, which may make links and end sessions. */
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
