/** As much of Babel's path as is looked at. */
interface Path {
  isNewExpression(): boolean;
  isCallExpression(): boolean;
  isClassProperty(): boolean;
  isAssignmentExpression(): boolean;
  node: {
    callee?: { type: string; name?: string };
    key?: { name?: string };
    left?: { property?: { name?: string } };
  };
}

/** A plugin of Stryker's kind "Ignore": the words and names of errors stay, as no test asks for what no client reads. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'messages',
    value: {
      shouldIgnore(path: Path): string | undefined {
        const { callee, key, left } = path.node;
        const isMessage =
          (path.isNewExpression() && callee?.name?.endsWith('Error')) ||
          (path.isCallExpression() && callee?.type === 'Super') ||
          (path.isClassProperty() && key?.name === 'name') ||
          (path.isAssignmentExpression() && left?.property?.name === 'name');
        return isMessage ? 'The words of an error are for people' : undefined;
      },
    },
  },
];
