import { emfProblems } from './emf.ts';

/** What must never stand in a log, by what it looks like: every test's keys, people and canaries do. */
const forbidden: [what: string, pattern: RegExp][] = [
  ['an API key', /pak_(?:live|test)_[0-9A-Za-z]{38}/],
  ['the hash of a key', /\b[0-9a-f]{64}\b/],
  ['the secret of a webhook', /whsec_/],
  ['an e-mail address', /(?<![\w.+-])[\w.+-]+@[\w-]+\.\w/],
  ['a phone number', /\+[1-9]\d{6,14}\b/],
  ['a canary', /canary/i],
];

/**
 * What looks so and is harmless: the end of the sentence that says what a phone number is, which the reason of a refusal has,
 * and the hash of a bundle, in the names of its folder and its archive, which the stack of an error has.
 */
const harmless = /as in \+4930123456|\basset\.[0-9a-f]{64}\b|\b[0-9a-f]{64}\.zip\b/g;

/** So much of a line is shown, before what was found and after it. */
const contextLength = 40;

/** What each line about a request says, so that one can be found and counted. */
const requestFields = ['request_id', 'operation', 'status', 'duration_ms'];

/** Lines that CloudWatch makes metrics of. */
const measured = ['request', 'authorizer', 'attempt', 'swept'];

/** What is wrong with the lines that Lambdas wrote: no JSON, without their fields, or telling what nobody may know. */
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

/** A part of a line with what stands around it. */
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
    // Who it was is known of every request that got as far as to its scope.
    ...(message === 'request' && Number(status) < 400
      ? ['key_id', 'account'].filter((name) => !fields[name])
      : []),
  ];
  const measures = measured.includes(message as string) ? ['_aws'] : [];
  return [
    ...[...missing, ...measures.filter((name) => fields[name] === undefined)].map((name) => `has no ${name}`),
    ...(_aws === undefined ? [] : emfProblems(fields)),
  ];
}
