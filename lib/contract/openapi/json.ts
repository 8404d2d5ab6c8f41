/** A JSON Schema (draft 2020-12), or another object of an OpenAPI document. */
export type Json = Record<string, unknown>;

/** Which side of a schema is meant: what may be sent to it, or what comes out. */
export type Side = 'input' | 'output';
