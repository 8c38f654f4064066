// Writes the operations of an OpenAPI document as one TypeScript type. By method and path, it contains the parameters, body and
// response of each operation. So the method and the path determine all other types of a call.
import { answerOf, bodyOf, type OpenApi, type Operation, type Schema, typeName } from './schema-types.ts';

/** `root` is the prefix of every path. The map leaves it out. */
export function operationsOf({ paths }: OpenApi, root: string): string {
  const byMethod = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const lines = byMethod.get(method) ?? [];
      lines.push(`readonly ${JSON.stringify(path.slice(root.length))}: ${memberOf(operation)};`);
      byMethod.set(method, lines);
    }
  const members = [...byMethod].map(([method, lines]) => `readonly ${method}: {\n${lines.join('\n')}\n};`);
  return `/** By method and path, below ${root}. */\nexport interface Operations {\n${members.join('\n')}\n}\n`;
}

function memberOf(operation: Operation): string {
  const { operationId, parameters = [] } = operation;
  const name = typeName(operationId);
  const inPath = parameters.filter((each) => each.in === 'path');
  const params = inPath.map((each) => `readonly ${each.name}: ${wordsOf(each.schema)};`);
  const parts = [
    params.length > 0 && `readonly params: { ${params.join(' ')} };`,
    parameters.some((each) => each.in === 'query') && `readonly query: ${name}Query;`,
    bodyOf(operation) !== undefined && `readonly body: ${name}Body;`,
    answerOf(operation) !== undefined && `readonly answer: ${name}Answer;`,
  ];
  const given = parts.filter((part) => part !== false);
  return given.length === 0 ? 'object' : `{ ${given.join(' ')} }`;
}

/** A path parameter is a text, or one of a few values. */
function wordsOf({ enum: values }: Schema): string {
  return values === undefined ? 'string' : values.map((value) => JSON.stringify(value)).join(' | ');
}
