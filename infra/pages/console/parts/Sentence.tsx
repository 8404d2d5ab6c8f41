import type { ComponentChildren } from 'preact';

type Slots<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Slots<Rest>
  : never;

type Props<Text extends string> = { of: Text } & Record<Slots<Text>, ComponentChildren>;

/** A sentence with elements in its slots: `Created {day}`. */
export const Sentence = <Text extends string>({ of, ...slots }: Props<Text>) => (
  <>
    {of
      .split(/\{(\w+)\}/)
      .map((part, n) => (n % 2 === 0 ? part : (slots as Record<string, ComponentChildren>)[part]))}
  </>
);
