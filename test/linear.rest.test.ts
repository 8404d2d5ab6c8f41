import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { checkLine } from '../infra/ops/lines/import.ts';
import { type ResourcePath, typeOfPath } from '../lib/contract/inboxContract.ts';
import { parseInput } from '../lib/http/parseInput.ts';
import { readMessage } from '../lib/inbox/readMessage.ts';
import { batchUpsertContacts, createContact } from '../lib/resources/contacts.ts';
import type { Operation } from '../lib/resources/operation.ts';
import { bodyBytesMax, readObject } from '../lib/schemas/json.ts';
import { aRecord } from './support/data/records.ts';
import { type FieldPath, jsonWith } from './support/input/bodyFields.ts';
import { hostileJson } from './support/input/hostile.ts';
import { packageOf } from './support/run/packages.ts';
import { root } from './support/stack/stackProcess.ts';

interface Recheck {
  checkSync(source: string, flags: string, limits: object): { status: string; attack?: { pattern: string } };
}
// As JavaScript: it is also compiled for some machines, in packages that are not installed.
const { checkSync } = await packageOf<Recheck>(join(root, 'test/recheck'), 'recheck/lib/browser.js');

/**
 * Only its automaton proves that no text is slow: its fuzzer says "safe" of what it has not found. Without limits of time the answer
 * is the same on every machine.
 */
const limits = { checker: 'automaton', timeout: null };

/** An expression in which nothing is repeated more than three times, where more would make the automaton too large. */
const withSmallCounts = (source: string): string =>
  source.replace(/(?<!\\u)\{(\d+)(,?)(\d*)\}/g, (_, min: string, comma: string, max: string) => {
    const most = Math.min(Number(max), 3);
    return `{${Math.min(Number(min), max === '' ? 3 : most - 1)}${comma}${max && most}}`;
  });

/** @returns a text for which the time of an expression grows faster than the text, or why none is known; undefined when it is linear */
function slowText({ source, flags }: RegExp): string | undefined {
  const { status, attack } = checkSync(withSmallCounts(source), flags, limits);
  return status === 'safe' ? undefined : (attack?.pattern ?? status);
}

const files = globSync(
  ['lib/**/*.ts', 'functions/**/*.ts', 'infra/local/**/*.ts', 'infra/pages/console/**/*.{ts,tsx}'],
  { cwd: root },
).sort();
const linesOf = (file: string): string[] => readFileSync(join(root, file), 'utf8').split('\n');

/** An expression as it stands in a program: after an operator or a bracket, and not after a value, where it would be a division. */
const literal =
  /(?<=(?:^|[(,=>:;[!&|?{]|\b(?:return|of|in))\s*)\/(?![/*\s])((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+)\/([dgimsuvy]*)(?![\w])/g;

const isComment = (line: string): boolean => /^\s*(?:\/\/|\/?\*)/.test(line);

const literals = files.flatMap((file) =>
  linesOf(file)
    .filter((line) => !isComment(line))
    .flatMap((line) => [...line.matchAll(literal)])
    .map(([, source, flags]) => [file, new RegExp(source as string, flags)] as const),
);
const different = [...new Map(literals.map((entry) => [String(entry[1]), entry])).values()];

describe('an expression for text, in a program', () => {
  test('takes time that grows as the text does', () => {
    const slow = different.flatMap(([file, expression]) => {
      const text = slowText(expression);
      return text === undefined ? [] : [`${file}: ${expression}: ${text}`];
    });
    expect(slow).toEqual([]);
  });
});

describe('an expression for text, made while the program runs', () => {
  const made = new Map<string, RegExp>();
  const original = globalThis.RegExp;
  beforeAll(async () => {
    globalThis.RegExp = new Proxy(original, {
      construct: (target, args) => {
        const expression = new target(...(args as [string, string?]));
        made.set(String(expression), expression);
        return expression;
      },
    });
    vi.resetModules();
    const { operations } = await import('../lib/contract/index.ts');
    const { recordSchemas } = await import('../lib/contract/inboxContract.ts');
    await import('../lib/keys/format.ts');
    await import('../lib/webhooks/sending/send.ts');
    const schemas = (operations as readonly Operation[]).flatMap(({ query, body }) => [query, body]);
    const { responses } = await import('../lib/contract/responses.ts');
    for (const schema of [...schemas, ...Object.values(responses), ...Object.values(recordSchemas)])
      schema?.();
    globalThis.RegExp = original;
  });
  afterAll(() => {
    globalThis.RegExp = original;
  });

  test('is made in seven files only, which are loaded here', () => {
    const makers = files.filter(
      (file) =>
        !file.startsWith('infra/') &&
        linesOf(file).some((line) => !isComment(line) && /\bRegExp\(/.test(line)),
    );
    expect(makers).toEqual([
      'lib/contract/changes.ts',
      'lib/contract/console/consoleKeys.ts',
      'lib/keys/format.ts',
      'lib/schemas/fields.ts',
      'lib/schemas/filters.ts',
      'lib/schemas/receiverUrl.ts',
      'lib/schemas/texts.ts',
    ]);
    expect(made.size).toBeGreaterThan(10);
  });

  test('takes time that grows as the text does', () => {
    const slow = [...made.values()].map((expression) => [String(expression), slowText(expression)]);
    expect(slow.filter(([, text]) => text !== undefined)).toEqual([]);
  });
});

describe('what is slow for all that', () => {
  test.each([
    /\s*x?\s*(?:,|$)/y,
    /^(?:a|a)*$/,
    /^[^@]+(?:\.[^@]+)*@$/,
    /("[^"]*)*,/,
    /^\p{M}{0,30}(?:[^\p{M}]+\p{M}{0,30})*$/u,
  ])('%s is found to be', (expression) => {
    expect(slowText(expression)).toBeDefined();
  });
});

test('only texts whose length has been looked at are normalized: one place does it', () => {
  const places = files.flatMap((file) =>
    linesOf(file)
      .filter((line) => !isComment(line) && /normalize\(|toNFC|\.NFC/.test(line))
      .map(() => file),
  );
  expect(places).toEqual(['lib/schemas/texts.ts']);
});

describe('the largest bodies cost little, whatever is in them, so no work grows with the square of their bytes:', () => {
  /** Processor time, so other processes count for nothing. */
  const mostMs = 2000;
  const kinds = Object.entries(hostileJson(bodyBytesMax - 10_000));
  const places: [resource: ResourcePath, path: FieldPath][] = [
    ['contacts', []],
    ['contacts', ['address']],
    ['contacts', ['custom_fields']],
    ['contacts', ['custom_fields', 'a']],
    ['contacts', ['tags']],
    ['contacts', ['note']],
    ['orders', ['line_items']],
    ['orders', ['line_items', 0]],
    ['orders', ['note']],
  ];
  const parsed = (operation: Operation, text: string): void => {
    const { value } = readObject(text) as { value?: object };
    if (value) parseInput(operation).before?.({ event: { body: value } } as never);
  };
  const readers: [name: string, read: (resource: ResourcePath, record: string) => unknown][] = [
    [
      'a message',
      (resource, text) => readMessage(`{"account":"a","resource":"${resource}","record":${text}}`),
    ],
    ['a line of an import', (resource, text) => checkLine(resource, { number: 1, bytes: text.length, text })],
    ['a body', (_, text) => parsed(createContact, text)],
    ['a batch', (_, text) => parsed(batchUpsertContacts, `{"contacts":[${text}]}`)],
  ];

  test.each(readers)('%s', (_, read) => {
    for (const [resource, path] of places)
      for (const [kind, json] of kinds) {
        const record = jsonWith(aRecord(typeOfPath[resource]), path, json);
        const start = process.cpuUsage();
        try {
          read(resource, record);
        } catch {
          // It is refused.
        }
        const { user, system } = process.cpuUsage(start);
        const ms = (user + system) / 1000;
        expect(ms, `${resource}.${path.join('.')}: ${kind}`).toBeLessThan(mostMs);
      }
  });
});
