import { fieldFor, resources, resourceTypes } from '../../../lib/resources/index.ts';
import { OpsError } from '../../terminal/opsError.ts';

/** A format that people mistake for JSON lines. */
interface OtherFormat {
  /**
   * @param line the first line that is not empty
   * @param next the line that is not empty after it, as far as it has been read
   */
  matches(beginning: Buffer, line: string, next: string | undefined): boolean;
  /** A sentence that begins after the name of the file. */
  problem: string;
}

const begins =
  (...bytes: number[]) =>
  (beginning: Buffer): boolean =>
    beginning.subarray(0, bytes.length).equals(Buffer.from(bytes));

const compressed = (how: string, unpack: string) =>
  `is compressed (${how}), and must not be: unpack it first, as "${unpack}" does`;

const oneALine = 'must hold one JSON object a line';

const binary = `is binary, and ${oneALine}, in UTF-8`;

/** The first match counts. The bytes are those at https://www.garykessler.net/library/file_sigs.html */
const others: readonly OtherFormat[] = [
  { matches: begins(0x1f, 0x8b), problem: compressed('gzip', 'gunzip -c') },
  { matches: begins(0x50, 0x4b, 0x03, 0x04), problem: compressed('zip, as workbooks are too', 'unzip -p') },
  { matches: begins(0x28, 0xb5, 0x2f, 0xfd), problem: compressed('zstd', 'zstd -dc') },
  { matches: begins(0xfd, 0x37, 0x7a, 0x58, 0x5a), problem: compressed('xz', 'xz -dc') },
  { matches: begins(0x42, 0x5a, 0x68), problem: compressed('bzip2', 'bzip2 -dc') },
  { matches: begins(0x04, 0x22, 0x4d, 0x18), problem: compressed('lz4', 'lz4 -dc') },
  { matches: begins(0x37, 0x7a, 0xbc, 0xaf), problem: compressed('7-Zip', '7z x -so') },
  {
    matches: isUtf16,
    problem: 'is in UTF-16, and must be in UTF-8: convert it first, as "iconv -f UTF-16 -t UTF-8" does',
  },
  { matches: (_, line) => hasControls(line), problem: binary },
  {
    matches: (_, line, next) => isListInObject(line.trimEnd() === '{' ? `{${next}` : line),
    problem: `holds one JSON object with a list of records, and ${oneALine}: take the list apart first, as "jq -c .data[]" does`,
  },
  {
    matches: (_, line) => line.startsWith('['),
    problem: `holds a JSON array, and ${oneALine}: take it apart first, as "jq -c .[]" does`,
  },
  {
    matches: (_, line) => line.trimEnd() === '{',
    problem: `holds JSON objects over several lines, and ${oneALine}: join their lines first, as "jq -c ." does`,
  },
  {
    matches: (_, line) => line.startsWith('<'),
    problem: `holds XML or HTML, and ${oneALine}: convert it first`,
  },
  { matches: (_, line) => isSql(line), problem: `holds SQL, and ${oneALine}: export the rows as JSON first` },
  {
    matches: (_, line) => isYaml(line),
    problem: `holds YAML, and ${oneALine}: convert it first, as "yq -o json -I 0 .[]" does`,
  },
  { matches: (_, line) => isHeader(line), problem: `holds a table (CSV), and ${oneALine}: convert it first` },
  // An object in another encoding is reported as a problem of its line.
  { matches: (_, line) => line.includes('\uFFFD') && !line.startsWith('{'), problem: binary },
  {
    matches: (_, line, next) => next !== undefined && ![line, next].some((one) => one.startsWith('{')),
    problem: `holds other text, such as a table of one column (CSV), and ${oneALine}: convert it first`,
  },
];

/** True with a byte order mark, and without one if every other byte is zero, as in ASCII text. */
function isUtf16(beginning: Buffer): boolean {
  if (begins(0xff, 0xfe)(beginning) || begins(0xfe, 0xff)(beginning)) return true;
  const [first, second, third, fourth] = [...beginning.subarray(0, 4)].map((byte) => byte === 0);
  return fourth !== undefined && first === third && second === fourth && first !== second;
}

/** JSON text contains control characters only as white space. */
const hasControls = (line: string): boolean => /[^\P{Cc}\s\x7f-\x9f]/u.test(line);

/** True for names between separators: no JSON object begins like that. */
const isHeader = (line: string): boolean => /^["'\p{L}_][^{}[\]]*?[,;\t]/u.test(line);

/** True for a list of records in an object, as in an answer of the API. A record has none of these fields. */
const isListInObject = (text: string): boolean => listInObject.test(text);

const lists = [
  'data',
  'records',
  'results',
  'rows',
  'items',
  ...resourceTypes.map((type) => fieldFor(resources[type])),
];
const listInObject = new RegExp(`^\\{(?![^[]*"external_id")[^[]*"(?:${lists.join('|')})"\\s*:\\s*\\[`);

/** True for a statement or a comment of SQL. */
const isSql = (line: string): boolean =>
  /^(?:--(?!-)|\/\*|(?:(?:INSERT|REPLACE|MERGE)\s+INTO|(?:CREATE|DROP|ALTER|TRUNCATE)\s+[A-Z]+|SELECT\s.+\sFROM|COPY\s.+\sFROM|SET\s.+[=;]|BEGIN|START\s+TRANSACTION)(?:[\s;]|$))/i.test(
    line,
  );

/** True for a document, an item or a field of YAML. A field ends with its colon, or has a space after it. */
const isYaml = (line: string): boolean =>
  /^(?:---(?:\s|$)|%YAML\b|-\s|["']?[\p{L}_][\p{L}\p{N}_ .-]*["']? ?:(?:\s|$))/u.test(line);

const lineEnd = /\r\n?|\n/;

/** How many bytes of a file are inspected. The first line may be longer. */
const beginningMax = 65_536;

/**
 * Passes on the chunks of a file that can hold JSON lines. This is decided by its beginning, up to the end of the
 * first line, and by the next line where it is read with it.
 * @param name of the file, for a person
 * @throws OpsError when the file as a whole has another format: one message instead of one for each line
 */
export async function assertedLines(
  name: string,
  chunks: AsyncIterable<Buffer>,
): Promise<AsyncIterable<Buffer>> {
  const rest = chunks[Symbol.asyncIterator]();
  const read: Buffer[] = [];
  let failure: unknown;
  let hasBegun = false;
  let bytes = 0;
  while (bytes < beginningMax) {
    const next = await rest.next().catch((error) => {
      failure = error;
      return { done: true as const, value: undefined };
    });
    if (next.done) break;
    read.push(next.value);
    bytes += next.value.length;
    const text = next.value.toString('latin1');
    const from: string = hasBegun ? text : text.trimStart();
    hasBegun ||= from !== '';
    if (lineEnd.test(from)) break;
  }
  const beginning = Buffer.concat(read).subarray(0, beginningMax);
  const [line = '', ...more] = beginning
    .toString()
    .replace(/^\uFEFF/, '')
    .trimStart()
    .split(lineEnd);
  const next = more.find((one) => one.trim() !== '')?.trimStart();
  const isEmpty = line === '' && bytes < beginningMax && failure === undefined;
  const problem = isEmpty
    ? `is empty, and ${oneALine}`
    : others.find(({ matches }) => matches(beginning, line, next))?.problem;
  if (problem !== undefined) {
    // Otherwise the process would wait for the rest of the input.
    await rest.return?.();
    throw new OpsError(`${name} ${problem}.`);
  }
  return joined(read, rest, failure);
}

async function* joined(
  read: readonly Buffer[],
  rest: AsyncIterator<Buffer>,
  failure: unknown,
): AsyncGenerator<Buffer> {
  try {
    yield* read;
    if (failure !== undefined) throw failure;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
