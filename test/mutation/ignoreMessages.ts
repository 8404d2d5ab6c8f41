/** The part of Babel's path that is used. */
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

/**
 * An "Ignore" plugin of Stryker: messages and names of errors are not mutated, because no client reads them and no test
 * checks them.
 */
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
