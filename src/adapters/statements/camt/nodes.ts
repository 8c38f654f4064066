// What the XML parser gives, looked at without trust: an element is a text, an object, or a list of them.

export interface Node {
  readonly [name: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function nodesIn(node: Node | undefined, name: string): readonly Node[] {
  const value = node?.[name];
  const list: readonly unknown[] = value === undefined ? [] : Array.isArray(value) ? value : [value];
  // An element that holds only text is a text.
  return list.map((each) => (isNode(each) ? each : { '#text': each }));
}

export function nodeIn(node: Node | undefined, name: string): Node | undefined {
  return nodesIn(node, name)[0];
}

/** Null: it is not there, or empty. */
export function textIn(node: Node | undefined, name: string): string | null {
  return textOf(nodeIn(node, name));
}

export function textOf(node: Node | undefined): string | null {
  const text = node?.['#text'];
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null;
}
