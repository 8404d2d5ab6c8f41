import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { publishedPatterns } from '../../support/documents/patterns.ts';
import { cases } from '../../support/input/cases.ts';
import { removeFolder, temporaryFolder } from '../../support/stack/stackProcess.ts';

// Other languages compile every published pattern, and say the same of texts as JavaScript does. A language that is not installed is
// left out: patterns.unit.test.ts is the rule for all.

/** Every text in what people send. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value.toWellFormed();
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* textsIn(inner);
}

/** Not those with a line break at the end: in Python and Java, $ also matches before it. */
const texts = [
  ...new Set([
    ...textsIn(cases),
    ...['', ' ', '+4930123456', 'con_9x7aej2svz025b0x7prpcchs', 'EUR', '"1"', 'a\u0085b'],
  ]),
].filter((text) => !/[\n\r\u0085\u2028\u2029]$/.test(text));

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

/** Programs that read a line of patterns and one of texts, in UTF-8 as hexadecimal digits, and print 1 or 0 for each pair. */
const programs: [command: string, file: string, args: string[], text: string][] = [
  [
    'python3',
    'match.py',
    [],
    `import re, sys
patterns, texts = [[bytes.fromhex(one).decode() for one in line.split(',')] for line in sys.stdin.read().split('\\n')]
for pattern in patterns:
    print(''.join('1' if re.search(pattern, text) else '0' for text in texts))
`,
  ],
  [
    'java',
    'Match.java',
    [],
    `import java.util.*; import java.util.regex.*; import java.util.stream.*;
public class Match {
  static List<String> read(String part) {
    return Arrays.stream(part.split(",", -1)).map(line -> new String(HexFormat.of().parseHex(line), java.nio.charset.StandardCharsets.UTF_8)).collect(Collectors.toList());
  }
  public static void main(String[] args) throws Exception {
    String[] parts = new String(System.in.readAllBytes(), "UTF-8").split("\\n", 2);
    for (String pattern : read(parts[0])) {
      Pattern compiled = Pattern.compile(pattern);
      System.out.println(read(parts[1]).stream().map(text -> compiled.matcher(text).find() ? "1" : "0").collect(Collectors.joining()));
    }
  }
}
`,
  ],
  [
    'go',
    'match.go',
    ['run'],
    `package main

import ("encoding/hex"; "fmt"; "io"; "os"; "regexp"; "strings")

func read(part string) (out []string) {
	for _, line := range strings.Split(part, ",") {
		text, err := hex.DecodeString(line)
		if err != nil { panic(err) }
		out = append(out, string(text))
	}
	return
}

func main() {
	input, _ := io.ReadAll(os.Stdin)
	parts := strings.SplitN(string(input), "\\n", 2)
	for _, pattern := range read(parts[0]) {
		compiled := regexp.MustCompile(pattern)
		for _, text := range read(parts[1]) {
			if compiled.MatchString(text) { fmt.Print("1") } else { fmt.Print("0") }
		}
		fmt.Println()
	}
}
`,
  ],
];

const hex = (all: readonly string[]): string =>
  all.map((text) => Buffer.from(text).toString('hex')).join(',');

describe.each(programs)('%s', (command, file, args, text) => {
  const isThere = spawnSync(command, [command === 'go' ? 'version' : '--version']).status === 0;
  test.runIf(isThere)('says the same of every text', () => {
    const path = join(folder, file);
    writeFileSync(path, text);
    const { stdout, stderr } = spawnSync(command, [...args, path], {
      input: `${hex(publishedPatterns)}\n${hex(texts)}`,
      encoding: 'utf8',
      // Go needs a folder for what it builds.
      env: { ...process.env, GOCACHE: join(folder, 'go'), GOFLAGS: '-mod=mod' },
    });
    expect(stderr).toBe('');
    const said = stdout.trim().split('\n');
    const expected = publishedPatterns.map((pattern) =>
      texts.map((one) => (new RegExp(pattern, 'u').test(one) ? '1' : '0')).join(''),
    );
    expect(said).toEqual(expected);
  });
});
