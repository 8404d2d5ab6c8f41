import { afterEach } from 'vitest';

// Shortens the output of failures: when a text is missing in a document, the difference is the whole document.

const linesMax = 16;
const columnsMax = 200;

const shortened = (text: string): string => {
  const lines = text.split('\n');
  const kept = lines
    .slice(0, linesMax)
    .map((line) => (line.length > columnsMax ? `${line.slice(0, columnsMax)}…` : line));
  return [...kept, ...(lines.length > linesMax ? [`… and ${lines.length - linesMax} lines more`] : [])].join(
    '\n',
  );
};

afterEach(({ task }) => {
  for (const error of task.result?.errors ?? []) {
    if (error.diff !== undefined) error.diff = shortened(error.diff);
    error.message = shortened(error.message);
  }
});
