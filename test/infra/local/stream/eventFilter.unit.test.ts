import { describe, expect, test } from 'vitest';
import { eventFilter } from '../../../../infra/local/stream/eventFilter.ts';

const passes = (event: unknown, ...patterns: object[]) =>
  eventFilter(
    'Changes',
    patterns.map((pattern) => JSON.stringify(pattern)),
  )(event);

const event = {
  eventName: 'INSERT',
  dynamodb: { Keys: { sk: { S: 'r#1' } }, NewImage: { tags: { SS: ['a', 'b'] } }, SizeBytes: 12 },
};

describe('a filter lets through', () => {
  test.each<[string, object]>([
    ['text that is equal', { eventName: ['INSERT'] }],
    ['one of several texts', { eventName: ['MODIFY', 'INSERT'] }],
    ['a number that is equal', { dynamodb: { SizeBytes: [12] } }],
    ['text with the prefix', { dynamodb: { Keys: { sk: { S: [{ prefix: 'r#' }] } } } }],
    ['text with the suffix', { dynamodb: { Keys: { sk: { S: [{ suffix: '#1' }, { suffix: 'x' }] } } } }],
    ['a field that is there', { dynamodb: { Keys: { sk: { S: [{ exists: true }] } } } }],
    ['a field that is not there', { dynamodb: { OldImage: { sk: { S: [{ exists: false }] } } } }],
    ['a list with an entry that is equal', { dynamodb: { NewImage: { tags: { SS: ['b'] } } } }],
    ['what all fields allow', { eventName: ['INSERT'], dynamodb: { SizeBytes: [12] } }],
    ['everything, with an empty pattern', {}],
  ])('%s', (_, pattern) => expect(passes(event, pattern)).toBe(true));

  test('what matches one of several patterns, and everything without patterns', () => {
    expect(passes(event, { eventName: ['REMOVE'] }, { eventName: ['INSERT'] })).toBe(true);
    expect(passes(event)).toBe(true);
  });
});

describe('an unknown pattern is refused', () => {
  test.each([
    [
      '{"a":[{"anything-but":["x"]}]}',
      'The filter of Changes has {"anything-but":["x"]}, which is not supported',
    ],
    ['{"a":[{"numeric":[">",1]}]}', 'has {"numeric":[">",1]}'],
    ['{"a":[{"prefix":{"equals-ignore-case":"x"}}]}', 'has {"prefix":'],
    ['{"a":[{"exists":"yes"}]}', 'has {"exists":"yes"}'],
    ['{"a":[{"exists":true,"prefix":"x"}]}', 'has {"exists":true,"prefix":"x"}'],
    ['{"a":[null]}', 'has null'],
    ['{"$or":[{"a":["x"]}]}', 'has {"a":["x"]}'],
    ['{"a":[]}', 'has [], which is neither an object nor a list with entries'],
    ['{"a":"x"}', 'has "x", which is neither an object nor a list with entries'],
    ['[]', 'has [], which is not an object'],
    ['{', 'has {, which is not JSON'],
  ])('%s', (pattern, message) => expect(() => eventFilter('Changes', [pattern])).toThrow(message));
});
