import { answerHeaders } from '../../lib/contract/answerHeaders.ts';

/** A file of the console’s page or of the reference, as a server gives it. */
export interface PageFile {
  /** Relative to its folder. */
  name: string;
  type: string;
  content: string;
  /** Whether its name changes with its content, so that a browser may keep it. */
  immutable: boolean;
}

/** Markdown is plain text to browsers and to the compression of CloudFront, which know no other type for it. */
const text = 'text/plain; charset=utf-8';

export const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.md': text,
  '.txt': text,
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

/**
 * The headers of every answer under `/console/`: of the page and of its API, from CloudFront and from the local stack.
 * The page has no inline script or style, loads nothing from elsewhere, and may not write HTML (Trusted Types). A `<meta>` element
 * cannot set `frame-ancestors`: https://www.w3.org/TR/CSP3/#meta-element
 * @param embedIn the origins of the pages that may show the console in a frame
 */
export function consoleHeaders(embedIn: readonly string[]): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${embedIn.length > 0 ? embedIn.join(' ') : "'none'"}`,
    "require-trusted-types-for 'script'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'X-Content-Type-Options': answerHeaders['X-Content-Type-Options'],
    'Strict-Transport-Security': answerHeaders['Strict-Transport-Security'],
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
    // It cannot name origins, so only a page that nobody embeds has it.
    ...(embedIn.length > 0 ? {} : { 'X-Frame-Options': 'DENY' }),
  };
}

/** How long a browser may use a file of the page without asking: a year if its name changes with its content. */
export const cacheControlOf = ({ immutable }: { immutable: boolean }): string =>
  immutable ? 'public, max-age=31536000, immutable' : 'no-cache';
