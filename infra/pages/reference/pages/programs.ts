/** A request, as a program sends it. */
export interface Call {
  method: string;
  /** The path below the address of the API, with ids for names, and with the query. */
  path: string;
  body?: unknown;
  /** The address of the API, if known. Otherwise, programs read it from their environment. */
  api?: string;
}

interface Language {
  name: string;
  /** The language's name in Markdown. */
  fence: string;
  /** Writes the program, which prints the body of the response. It reads the key from the environment. */
  write: (call: Call) => string;
}

const json = (body: unknown): string => JSON.stringify(body, null, 2);

/** Indents all lines but the first. */
const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

function curl({ method, path, body, api = '$URL' }: Call): string {
  const implied = body === undefined ? 'GET' : 'POST';
  const quoted = () => indented(json(body).replaceAll("'", "'\\''"), '  ');
  return [
    `curl ${method === implied ? '' : `-X ${method} `}"${api}${path}"`,
    '-H "X-Api-Key: $KEY"',
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${quoted()}'`]),
  ].join(' \\\n  ');
}

/** Returns the literal of a value in a language whose lists and objects look like JSON's, except for some words and brackets. */
function literal(value: unknown, words: Words, indent = ''): string {
  if (value === null || typeof value === 'boolean') return words[`${value}`];
  if (typeof value !== 'object') return words.text(value as string | number);
  const inner = `${indent}    `;
  const [open, close] = Array.isArray(value) ? '[]' : words.object;
  const items = Array.isArray(value)
    ? value.map((one) => literal(one, words, inner))
    : Object.entries(value).map(
        ([name, one]) => `${words.text(name)}${words.colon}${literal(one, words, inner)}`,
      );
  if (items.length === 0) return Array.isArray(value) ? '[]' : words.empty;
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`;
}

interface Words {
  null: string;
  true: string;
  false: string;
  object: string;
  empty: string;
  colon: string;
  text: (value: string | number) => string;
}

const pythonWords: Words = {
  null: 'None',
  true: 'True',
  false: 'False',
  object: '{}',
  empty: '{}',
  colon: ': ',
  text: JSON.stringify,
};

const phpWords: Words = {
  null: 'null',
  true: 'true',
  false: 'false',
  object: '[]',
  empty: 'new stdClass()',
  colon: ' => ',
  text: (value) =>
    typeof value === 'number' ? `${value}` : `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
};

const python = ({
  method,
  path,
  body,
  api,
}: Call): string => `import ${body === undefined ? '' : 'json, '}os, urllib.error, urllib.request

${body === undefined ? '' : `body = ${literal(body, pythonWords)}\n`}request = urllib.request.Request(
    ${api === undefined ? 'os.environ["URL"] + "' : `"${api}`}${path}",
    method="${method}",
    headers={
        "X-Api-Key": os.environ["KEY"],
${body === undefined ? '' : '        "Content-Type": "application/json",\n'}    },
${body === undefined ? '' : '    data=json.dumps(body).encode(),\n'})
try:
    answer = urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    answer = error
print(answer.read().decode())
`;

const node = ({
  method,
  path,
  body,
  api,
}: Call): string => `const { ${api === undefined ? 'URL: api, ' : ''}KEY } = process.env;

const answer = await fetch(\`${api ?? '${api}'}${path}\`, {
  method: "${method}",
  headers: {
    "X-Api-Key": KEY,
${body === undefined ? '' : '    "Content-Type": "application/json",\n'}  },
${body === undefined ? '' : `  body: JSON.stringify(${indented(json(body), '  ')}),\n`}});
console.log(await answer.text());
`;

const go = ({ method, path, body, api }: Call): string => `package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
${body === undefined ? '' : '\t"strings"\n'})

func main() {
	url := ${api === undefined ? 'os.Getenv("URL") + "' : `"${api}`}${path}"
${body === undefined ? '' : `\tbody := strings.NewReader(\`${json(body).replaceAll('`', '\\u0060')}\`)\n`}	request, err := http.NewRequest("${method}", url, ${body === undefined ? 'nil' : 'body'})
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("X-Api-Key", os.Getenv("KEY"))
${body === undefined ? '' : '\trequest.Header.Set("Content-Type", "application/json")\n'}	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
}
`;

const php = ({ method, path, body, api }: Call): string => `<?php
$options = [
    'method' => '${method}',
    'header' => [
        'X-Api-Key: ' . getenv('KEY'),
${body === undefined ? '' : "        'Content-Type: application/json',\n"}    ],
    'ignore_errors' => true,
${body === undefined ? '' : `    'content' => json_encode(${literal(body, phpWords, '    ')}),\n`}];
$context = stream_context_create(['http' => $options]);
echo file_get_contents(${api === undefined ? "getenv('URL') . '" : `'${api}`}${path}', false, $context);
`;

/** Writes a program for a request, in the languages that readers use. None needs a package. */
export const languages: readonly Language[] = [
  { name: 'curl', fence: 'sh', write: curl },
  { name: 'Python', fence: 'python', write: python },
  { name: 'Node.js', fence: 'js', write: node },
  { name: 'Go', fence: 'go', write: go },
  { name: 'PHP', fence: 'php', write: php },
];

/** The names of languages, by their names in Markdown. */
export const languageNames: Record<string, string> = {
  ...Object.fromEntries(languages.map(({ name, fence }) => [fence, name])),
  ruby: 'Ruby',
};

export const fenced = (language: string, code: string): string =>
  `\`\`\`${language}\n${code.trimEnd()}\n\`\`\``;

/** Returns the program for a request in each language, in Markdown. */
export const programsFor = (call: Call): string =>
  languages.map(({ fence, write }) => fenced(fence, write(call))).join('\n\n');
