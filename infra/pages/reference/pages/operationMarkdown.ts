import {
  type Contract,
  exampleOf,
  nameOf,
  type Operation,
  type Placed,
  type Schema,
  schemaIn,
} from './contract.ts';
import { exampleCall, parametersIn } from './exampleCalls.ts';
import { descriptionOf, limitsOf, objectsIn, typeOf } from './fieldRows.ts';
import { fenced, languages } from './programs.ts';

export const fencedJson = (value: unknown): string => fenced('json', JSON.stringify(value, null, 2));

const line = (contract: Contract, name: string, schema: Schema, description: string, isRequired: boolean) =>
  `- \`${name}\` (${[typeOf(contract, schema), ...limitsOf(contract, schema), ...(isRequired ? ['required'] : [])].join('; ')}): ${description}`;

/** Returns the fields of an object, with those of nested objects indented below them. */
export function fieldLines(
  contract: Contract,
  schema: Schema,
  isInput: boolean,
  path: readonly string[] = [],
): string[] {
  const { properties = {}, required = [] } = schemaIn(contract, schema);
  return Object.entries(properties).flatMap(([name, one]) => {
    const inner = objectsIn(contract, one).filter((object) => !path.includes(nameOf(object) as string));
    const isRequired = isInput && required.includes(name);
    return [
      line(contract, name, one, descriptionOf(contract, one), isRequired),
      ...inner.flatMap((object) =>
        fieldLines(contract, object, isInput, [...path, nameOf(object) as string]).map((text) => `  ${text}`),
      ),
    ];
  });
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`## ${title}`, lines.join('\n')];

const answerLines = (contract: Contract, responses: Operation['responses']): string[] =>
  Object.entries(responses).map(([status, { description, content }]) => {
    const { message } = (exampleOf(contract, content) ?? {}) as { message?: string };
    return `- ${status}: ${description}${/^[45]/.test(status) && message !== undefined ? ` Example: \`${message}\`` : ''}`;
  });

/** Returns the page of an operation in Markdown, with its program in these languages. */
export function operationMarkdown(contract: Contract, operation: Placed, written = languages): string {
  const { summary, description, method, path, requestBody, responses } = operation;
  const parameters = (['path', 'query', 'header'] as const).flatMap((place) =>
    parametersIn(operation, place).map((one) =>
      line(contract, `${one.name}`, one.schema, `In the ${place}. ${one.description}`, one.required ?? false),
    ),
  );
  const sent = requestBody?.content['application/json'].schema;
  const success = Object.values(responses).find(({ content }) => content)?.content;
  const answered = success?.['application/json'].schema;
  const call = exampleCall(contract, operation);
  return `${[
    `# ${summary}`,
    `\`${method} ${path}\``,
    description,
    ...section('Parameters', parameters),
    ...section('Body', sent ? fieldLines(contract, sent, true) : []),
    '## Request',
    ...written.flatMap(({ name, fence, write }) => [
      ...(written.length > 1 ? [`### ${name}`] : []),
      fenced(fence, write(call)),
    ]),
    ...section('Responses', answerLines(contract, responses)),
    ...section('Fields of the response', answered ? fieldLines(contract, answered, false) : []),
    ...(success ? ['## Example response', fencedJson(exampleOf(contract, success))] : []),
  ].join('\n\n')}\n`;
}
