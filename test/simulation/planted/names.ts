// Checks the names in the code of a planted bug. A name that no longer exists would crash the code, and the simulation always
// catches a crash, so the bug would test nothing. So the file must declare every variable, and the sources must use every
// property elsewhere.
import { type Node, visitorKeys } from 'oxc-parser';

export interface Used {
  readonly undeclared: readonly string[];
  readonly properties: readonly string[];
}

type Role = 'declares' | 'names a property' | 'uses';

const WITH_EXPRESSION = new Set(['TSNonNullExpression', 'TSAsExpression', 'TSSatisfiesExpression']);
const DECLARING = new Set([
  'VariableDeclarator.id',
  'CatchClause.param',
  'FunctionDeclaration.id',
  'ClassDeclaration.id',
]);
const OF_PATTERN = new Set(['properties', 'elements', 'left', 'argument', 'value']);
const KEYS = new Set([
  'MemberExpression.property',
  'Property.key',
  'MethodDefinition.key',
  'PropertyDefinition.key',
]);

export function namesUsed(program: Node, from: number, to: number): Used {
  const declared = new Set<string>();
  const variables = new Set<string>();
  const properties = new Set<string>();
  const visit = (node: Node, role: Role) => {
    const isPlanted = node.start >= from && node.end <= to;
    if (node.type !== 'Identifier')
      for (const [key, child] of childrenOf(node)) visit(child, roleOf(node, key, role));
    else if (role === 'declares') declared.add(node.name);
    else if (isPlanted) (role === 'uses' ? variables : properties).add(node.name);
  };
  visit(program, 'uses');
  const undeclared = [...variables].filter((name) => !declared.has(name) && !(name in globalThis));
  return { undeclared, properties: [...properties] };
}

function roleOf(parent: Node, key: string, parentRole: Role): Role {
  const of = `${parent.type}.${key}`;
  if (key === 'params' || key === 'local' || DECLARING.has(of)) return 'declares';
  if (KEYS.has(of) && 'computed' in parent && !parent.computed) return 'names a property';
  return parentRole === 'declares' && OF_PATTERN.has(key) ? 'declares' : 'uses';
}

/** This function leaves out types, because types do not exist at run time. */
function childrenOf(node: Node): readonly (readonly [string, Node])[] {
  const isType = node.type.startsWith('TS') && !WITH_EXPRESSION.has(node.type);
  const keys = isType ? [] : (visitorKeys[node.type] ?? []);
  return keys.flatMap((key) => {
    const value = (node as unknown as Record<string, Node | null | readonly (Node | null)[]>)[key];
    const nodes = Array.isArray(value) ? value : [value];
    return nodes.filter((each) => each != null).map((each) => [key, each] as const);
  });
}
