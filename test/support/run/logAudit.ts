import { emfProblems } from './emf.ts';

/** Patterns that no log line may match. The keys, people and canaries of every test match them. */
const forbidden: [what: string, pattern: RegExp][] = [
  ['an API key', /pak_(?:live|test)_[0-9A-Za-z]{38}/],
  ['the hash of a key', /\b[0-9a-f]{64}\b/],
  ['the secret of a webhook', /whsec_/],
  ['the code of a link or the cookie of a session', /(?<![\w+/=-])(?![\w-]*Function)[\w-]{43}(?![\w+/=-])/],
  ['an e-mail address', /(?<![\w.+-])[\w.+-]+@[\w-]+\.\w/],
  ['a phone number', /\+[1-9]\d{6,14}\b/],
  ['a canary', /canary/i],
];

/**
 * Matches that are harmless: the example in the message about phone numbers, which the reason of a refused record
 * contains, and the hash of a bundle in the paths of a stack trace.
 */
const harmless = /as in \+4930123456|\basset\.[0-9a-f]{64}\b|\b[0-9a-f]{64}\.zip\b/g;

/** How many characters of a line are shown before and after a match. */
const contextLength = 40;

/** The fields that every line about a request must have. */
const requestFields = ['request_id', 'operation', 'status', 'duration_ms'];

/** The messages of lines from which CloudWatch makes metrics. */
const measured = ['attempt', 'swept'];

/** The problems of log lines: invalid JSON, missing fields, or forbidden content. */
export function auditLog(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const checked = line.replace(harmless, '');
    const findings = forbidden.flatMap(([what, pattern]) => {
      const match = pattern.exec(checked);
      return match ? [`has ${what}: ${around(checked, match.index, match[0].length)}`] : [];
    });
    return [...findings, ...formProblems(line).map((problem) => `${problem}: ${around(line, 0, 100)}`)];
  });
}

/** A part of a line with its context. */
function around(line: string, at: number, length: number): string {
  const [from, to] = [Math.max(0, at - contextLength), at + length + contextLength];
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`;
}

function formProblems(line: string): string[] {
  let fields: Record<string, unknown>;
  try {
    fields = JSON.parse(line);
  } catch {
    return ['is no JSON'];
  }
  const { timestamp, level, message, status, _aws } = fields;
  const wanted = message === 'request' ? requestFields : [];
  const missing = [
    ...(Number.isNaN(Date.parse(String(timestamp))) ? ['timestamp'] : []),
    ...(['INFO', 'WARN', 'ERROR'].includes(String(level)) ? [] : ['level']),
    ...(typeof message === 'string' ? [] : ['message']),
    ...wanted.filter((name) => fields[name] === undefined),
    // A successful request always has an account, and a key or a session.
    ...(message === 'request' && Number(status) < 400
      ? [fields.session_id ? 'session_id' : 'key_id', 'account'].filter((name) => !fields[name])
      : []),
  ];
  const measures = measured.includes(message as string) ? ['_aws'] : [];
  return [
    ...[...missing, ...measures.filter((name) => fields[name] === undefined)].map((name) => `has no ${name}`),
    ...(_aws === undefined ? [] : emfProblems(fields)),
  ];
}
