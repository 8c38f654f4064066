// Finds the places in a file where a small mistake can be made, and the text of each mistake. The mistakes are typical of
// people: an inverted condition, a boundary off by one, a missing await or lock, a confused field, an omitted call.
import { type Expression, Visitor } from 'oxc-parser';
import { parseSource, type Source } from '../checks/source.ts';

export const MUTATION_KINDS = [
  'condition',
  'boundary',
  'missing_await',
  'lost_lock',
  'swapped_field',
  'dropped_call',
] as const;
export type MutationKind = (typeof MUTATION_KINDS)[number];

export interface MutationSite {
  readonly kind: MutationKind;
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly put: string;
}

const BOUNDARIES: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
/** Fields with the same ending have the same kind of value. */
const FIELD = /[a-z](Minor|Ms|Id|Hash)$/;
const ROW_LOCK = /\s+for (?:no key )?(?:update|share)(?: of \w+)?(?: skip locked| nowait)?/gi;
const ADVISORY_LOCK = /pg_advisory_(?:xact_)?lock(?:_shared)?(?=\()/gi;

export function findMutationSites(source: Source): readonly MutationSite[] {
  const { file, text } = source;
  const sites: MutationSite[] = [];
  const add = (kind: MutationKind, { start, end }: { start: number; end: number }, put: string) =>
    sites.push({ kind, file, start, end, put });
  const negate = (test: Expression) => add('condition', test, `!(${text.slice(test.start, test.end)})`);
  const swap = fieldSwaps(source);
  const locks = (node: { start: number; end: number }) => {
    const written = text.slice(node.start, node.end);
    for (const { index, 0: found } of written.matchAll(ROW_LOCK))
      add('lost_lock', { start: node.start + index, end: node.start + index + found.length }, '');
    // The replacement accepts the same values, but locks nothing.
    for (const { index, 0: found } of written.matchAll(ADVISORY_LOCK))
      add('lost_lock', { start: node.start + index, end: node.start + index + found.length }, 'concat');
  };
  new Visitor({
    IfStatement: ({ test }) => negate(test),
    ConditionalExpression: ({ test }) => negate(test),
    LogicalExpression: (node) => {
      if (node.operator !== '??') add('condition', node, text.slice(node.left.start, node.left.end));
    },
    BinaryExpression: ({ operator, left, right }) => {
      const other = BOUNDARIES[operator];
      const at = text.indexOf(operator, left.end);
      if (other !== undefined && at >= 0 && at < right.start)
        add('boundary', { start: at, end: at + operator.length }, other);
    },
    AwaitExpression: ({ start, argument }) => add('missing_await', { start, end: argument.start }, ''),
    MemberExpression: ({ computed, property }) => {
      const other = property.type === 'Identifier' && !computed ? swap(property.name) : undefined;
      if (other !== undefined) add('swapped_field', property, other);
    },
    ExpressionStatement: (node) => {
      const { expression } = node;
      const called = expression.type === 'AwaitExpression' ? expression.argument : expression;
      if (called.type === 'CallExpression') add('dropped_call', node, 'void 0;');
    },
    Property: (node) => {
      // The fence guards the update of a record by its version.
      if (node.key.type === 'Identifier' && node.key.name === 'fence' && !node.shorthand)
        add('lost_lock', node.value, 'undefined');
    },
    Literal: (node) => {
      if (typeof node.value === 'string') locks(node);
    },
    TemplateElement: locks,
  }).visit(parseSource(source));
  return sites.toSorted((a, b) => a.start - b.start || a.end - b.end);
}

/** Another field of the file with the same ending. Undefined if the file has none. */
function fieldSwaps(source: Source): (name: string) => string | undefined {
  const names = new Map<string, Set<string>>();
  const note = (name: string) => {
    const ending = FIELD.exec(name)?.[1];
    if (ending === undefined) return;
    const known = names.get(ending) ?? new Set();
    names.set(ending, known.add(name));
  };
  new Visitor({
    MemberExpression: ({ computed, property }) => {
      if (!computed && property.type === 'Identifier') note(property.name);
    },
    Property: ({ computed, key }) => {
      if (!computed && key.type === 'Identifier') note(key.name);
    },
  }).visit(parseSource(source));
  return (name) => {
    const alike = [...(names.get(FIELD.exec(name)?.[1] ?? '') ?? [])].toSorted();
    return alike.length < 2 ? undefined : alike[(alike.indexOf(name) + 1) % alike.length];
  };
}
