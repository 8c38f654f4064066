// Checks that every function fits on one screen. The lines of a nested function count for both functions. A `describe` block is
// a list of tests, and each test is measured separately.
import { type CallExpression, Visitor } from 'oxc-parser';
import { lineOf, parseSource, readCode, type Source } from './source.ts';

const MOST_LINES = 70;

export function findLongFunctions(root: string): string[] {
  return readCode(root).flatMap(findLongFunctionsIn);
}

function findLongFunctionsIn(source: Source): string[] {
  const found: string[] = [];
  const lists = new Set<unknown>();
  const { text } = source;
  const skipList = ({ callee, arguments: given }: CallExpression) => {
    if (callee.type === 'Identifier' && callee.name === 'describe') for (const each of given) lists.add(each);
  };
  const measure = (node: { readonly start: number; readonly end: number }) => {
    if (lists.has(node)) return;
    const first = lineOf(text, node.start);
    const lines = lineOf(text, node.end) - first + 1;
    if (lines <= MOST_LINES) return;
    found.push(
      `${source.file}:${first}: a function of ${lines} lines, at most ${MOST_LINES} are allowed: give its parts functions of their own`,
    );
  };
  new Visitor({
    CallExpression: skipList,
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  }).visit(parseSource(source));
  return found;
}
