import { StartError } from '../process/startError.ts';

/** Whether a log line matches a filter pattern. */
export type Filter = (line: string) => boolean;

/** One comparison of a field: `$.status >= 400`, `$.key_id != "-"`. */
const comparison = /^\$\.(\w+) (=|!=|>=) (?:"([^"\\]*)"|(\d+))$/;

/**
 * Reads a filter pattern for JSON lines: comparisons of fields of the line, joined by `&&`.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 * @param of names the owner of the pattern in the error message
 * @throws StartError for any other pattern
 */
export function readFilterPattern(of: string, pattern: string): Filter {
  const [, inside = ''] = /^\{ (.*) \}$/.exec(pattern) ?? [];
  const tests = inside.split(' && ').map((part) => {
    const [, field, operator, text, digits] = comparison.exec(part) ?? [];
    if (field === undefined || (operator === '>=') !== (digits !== undefined))
      throw new StartError(
        `${of} has the filter pattern ${pattern}: the local stack knows only { … } with comparisons like $.status >= 400, $.message = "text" or $.message != "text", joined by &&.`,
      );
    return (line: Record<string, unknown>): boolean => {
      const value = line[field];
      if (digits !== undefined) return typeof value === 'number' && value >= Number(digits);
      return typeof value === 'string' && (value === text) === (operator === '=');
    };
  });
  return (line) => {
    const fields = objectIn(line);
    return fields !== undefined && tests.every((test) => test(fields));
  };
}

function objectIn(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
