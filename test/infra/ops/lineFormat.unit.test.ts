import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assertedLines } from '../../../infra/ops/lines/lineFormat.ts';
import { OpsError } from '../../../infra/terminal/opsError.ts';

/** The text that is passed on. */
async function passedOn(...texts: string[]): Promise<string> {
  async function* input() {
    for (const text of texts) yield Buffer.from(text);
  }
  let passed = '';
  for await (const chunk of await assertedLines('FILE', input())) passed += chunk;
  return passed;
}

const taken = 'must hold one JSON object a line';

describe('a file of another format is refused as a whole, in one sentence', () => {
  test.each([
    ['external_id\nx\ny\n', 'other text, such as a table of one column (CSV)'],
    ['"e-mail"\r\n"a@example.com"\r\n', 'other text, such as a table of one column (CSV)'],
    ['1\n2\n', 'other text, such as a table of one column (CSV)'],
    ['Dear colleague\n\nthe records follow\n', 'other text, such as a table of one column (CSV)'],
    ['external_id,email\nx,a@example.com\n', 'a table (CSV)'],
    ['<?xml version="1.0"?>\n<contacts/>\n', 'XML or HTML'],
    ['<contacts><contact id="1"/></contacts>', 'XML or HTML'],
    ['<!DOCTYPE html>\n', 'XML or HTML'],
    ['- external_id: x\n  email: a@example.com\n', 'YAML'],
    ['---\n- external_id: x\n', 'YAML'],
    ['%YAML 1.2\n---\n', 'YAML'],
    ['contacts:\n  - external_id: x\n', 'YAML'],
    ['first name: Ada, Countess\nexternal_id: x\n', 'YAML'],
    ['INSERT INTO contacts (external_id, email) VALUES\n', 'SQL'],
    ['insert into contacts values (1, 2);', 'SQL'],
    ['-- PostgreSQL database dump, 17\n\nSET x = 1;\n', 'SQL'],
    ['/* MySQL, 9 */;\n', 'SQL'],
    ['COPY public.contacts (external_id, email) FROM stdin;\n', 'SQL'],
    ['CREATE TABLE contacts (id, email);\n', 'SQL'],
    ['SELECT id, email FROM contacts;\n', 'SQL'],
    ['BEGIN;\n', 'SQL'],
    ['{"data":[{"external_id":"x"}]}', 'one JSON object with a list of records'],
    ['{"data": [], "pagination": {"total": 0}}\n', 'one JSON object with a list of records'],
    [
      '{ "pagination": {"total": 1}, "data": [{"external_id": "x"}] }',
      'one JSON object with a list of records',
    ],
    ['{"contacts":[{"external_id":"x"}]}', 'one JSON object with a list of records'],
    ['{\n  "data": [\n    {\n', 'one JSON object with a list of records'],
    ['{\n  "external_id": "x"\n}\n', 'JSON objects over several lines'],
    ['{\r  "external_id": "x"\r}\r', 'JSON objects over several lines'],
    ['external_id\rx\ry\r', 'other text, such as a table of one column (CSV)'],
  ])('%j', async (text, format) => {
    const error = await passedOn(text).catch((reason) => reason);
    expect(error).toBeInstanceOf(OpsError);
    expect(error.message).toContain(`FILE holds ${format}, and ${taken}: `);
    expect(error.message).toMatch(/^[^\n]+\.$/);
  });
});

describe('lines of JSON are passed on', () => {
  test.each([
    '{"external_id": "x", "line_items": [{"name": "a"}]}\n',
    '{"line_items": [{"name": "a"}], "external_id": "x"}\n',
    '{"external_id": "x", "note": "\\"data\\": [1]"}\n',
    '{"external_id": "x", "custom_fields": {"items": ["a"]}}\n',
    '{"external_id": "<x>"}\n- \n',
    'nonsense\n\n{"external_id": "x"}\n',
    'nonsense\r{"external_id": "x"}\r',
    '{"external_id": "cut\nnonsense\n',
    'nonsense',
  ])('%j', async (text) => {
    expect(await passedOn(text)).toBe(text);
  });

  test('whatever records they hold, and however they are cut', async () => {
    const record = fc.dictionary(fc.string(), fc.jsonValue()).map((rest) => ({ external_id: 'x', ...rest }));
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1 }), fc.nat(100), async (records, cut) => {
        const text = `${records.map((one) => JSON.stringify(one)).join('\n')}\n`;
        expect(await passedOn(text.slice(0, cut), text.slice(cut))).toBe(text);
      }),
    );
  });
});
