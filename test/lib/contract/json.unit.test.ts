import { describe, expect, test } from 'vitest';
import { exactNumberRule } from '../../../lib/values/exactNumber.ts';
import { bodyBytesMax, depthMax, numberProblems, readObject, structureOf } from '../../../lib/values/json.ts';

const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

describe('an object is read from a text', () => {
  test('with the problems of its numbers', () => {
    expect(readObject(' {"a": [1, 1e400]} ')).toEqual({
      value: { a: [1, Number.POSITIVE_INFINITY] },
      problems: [`a[1] ${exactNumberRule}`],
    });
  });

  test.each([
    ['', 'is not valid JSON: it ends at line 1, column 1, where a value is expected'],
    ['\uFEFF\uFEFF', 'is not valid JSON: it ends at line 1, column 1, where a value is expected'],
    ['{', 'is not valid JSON: it ends at line 1, column 2, where a name in double quotes or } is expected'],
    [
      '{"a":1,}',
      'is not valid JSON: at line 1, column 8, a name in double quotes, as a comma is before it, is expected',
    ],
    [
      '{"a": NaN}',
      'is not valid JSON: at line 1, column 7, null (JSON has no NaN and no Infinity) is expected',
    ],
    [
      '[-Infinity]',
      'is not valid JSON: at line 1, column 2, null (JSON has no NaN and no Infinity) is expected',
    ],
    ['[True]', 'is not valid JSON: at line 1, column 2, true, false or null in lower case is expected'],
    ['[None]', 'is not valid JSON: at line 1, column 2, null is expected'],
    ['[undefined]', 'is not valid JSON: at line 1, column 2, null is expected'],
    ['{\0"\0a\0', 'must be UTF-8, and not UTF-16 or UTF-32'],
    ['\uFFFD\uFFFD\0{\0"', 'must be UTF-8, and not UTF-16 or UTF-32'],
    ["{'a':1}", 'is not valid JSON: at line 1, column 2, a name in double quotes or } is expected'],
    ['[]', 'must be a JSON object'],
    ['null', 'must be a JSON object'],
    ['"text"', 'must be a JSON object'],
    ['7', 'must be a JSON object'],
    ['{"a":1,"a":2}', 'has a more than once in one object'],
    ['{"a b":1,"a b":2}', 'has "a b" more than once in one object'],
    ['{"b":{"a":1,"\\u0061":2}}', 'has a more than once in one object'],
    [nested(depthMax + 1), 'must not be nested deeper than 32 levels'],
    [`${nested(depthMax + 1)} and more`, 'must not be nested deeper than 32 levels'],
    [JSON.stringify({ a: 'x'.repeat(bodyBytesMax) }), 'must be at most 262144 bytes'],
    [JSON.stringify({ a: 'ä'.repeat(bodyBytesMax / 2) }), 'must be at most 262144 bytes'],
  ])('but not from %.40s', (text, problem) => {
    expect(readObject(text)).toEqual({ problem });
  });

  test('without a byte order mark before it', () => {
    expect(readObject('\uFEFF{"a":1}')).toEqual({ value: { a: 1 }, problems: [] });
  });

  test('as long and as deep as it may be', () => {
    const longest = JSON.stringify({ a: 'x'.repeat(bodyBytesMax - '{"a":""}'.length) });
    expect(readObject(longest)).toEqual({ value: JSON.parse(longest), problems: [] });
    expect(readObject(nested(depthMax))).toEqual({ value: JSON.parse(nested(depthMax)), problems: [] });
  });

  test('and names are written as the caller wants', () => {
    const secret = () => 'a field';
    expect(readObject('{"a":1,"a":2}', secret)).toEqual({
      problem: 'has a field more than once in one object',
    });
    expect(readObject('{"a":1e400}', secret)).toMatchObject({ problems: [`a field ${exactNumberRule}`] });
  });
});

describe('the structure of a text', () => {
  test('has the paths to the numbers that a double does not keep', () => {
    const { inexact } = structureOf('{"a":[0,{"b":1e400},[1e400]],"c":1e-400,"d":"1e400"}');
    expect(inexact).toEqual({ count: 3, paths: [['a', 1, 'b'], ['a', 2, 0], ['c']] });
    expect(structureOf('[1e400]').inexact.paths).toEqual([[0]]);
    expect(structureOf('{1e400}').inexact.paths).toEqual([['']]);
  });

  test('keeps the first twenty of these paths, and counts all', () => {
    const structure = structureOf(JSON.stringify(Array(30).fill(0)).replaceAll('0', '1e400'));
    expect(structure.inexact.paths).toEqual(Array.from({ length: 20 }, (_, i) => [i]));
    expect(structure.inexact.count).toBe(30);
    expect(numberProblems(structure)).toEqual(
      Array.from({ length: 30 }, (_, i) => (i < 20 ? `[${i}] ${exactNumberRule}` : exactNumberRule)),
    );
  });

  test('is known of a text that is no JSON', () => {
    expect(structureOf('{"a\\q":1,"a\\q":2}').repeated).toEqual(['"a\\q"']);
    expect(structureOf('}]{"a":1}').depth).toBe(1);
  });

  test.each(['"[[', '"[[\\', '"\\\n[['])('of %j, a string without an end, has no depth', (text) => {
    expect(structureOf(text).depth).toBe(0);
  });

  test.each(['"a":1,"a":2', '["a":1,"a":2]', '}"a":1'])(
    'of %j has no repeated names: they are in no object',
    (text) => {
      expect(structureOf(text).repeated).toEqual([]);
    },
  );

  test('of a text that is too deep is not read further', () => {
    const structure = structureOf(`${'['.repeat(1000)}1e400`);
    expect(structure).toEqual({ depth: depthMax + 1, repeated: [], inexact: { count: 0, paths: [] } });
  });

  test('knows that objects side by side may have the same names', () => {
    expect(structureOf('{"a":{"x":1},"b":{"x":2},"c":["x","x"]}').repeated).toEqual([]);
  });
});
