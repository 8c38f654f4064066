// Reads what the XML parser returns. Nothing in it is trusted: an element may be missing, repeated or of another kind.

/** The untrusted output of the XML parser: an element is a text, an object, or a list of them. */
export interface XmlNode {
  readonly [name: string]: unknown;
}

function isXmlNode(value: unknown): value is XmlNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function nodesIn(node: XmlNode | undefined, name: string): readonly XmlNode[] {
  const value = node?.[name];
  const list: readonly unknown[] = value === undefined ? [] : Array.isArray(value) ? value : [value];
  // The parser returns an element that contains only text as a string.
  return list.map((each) => (isXmlNode(each) ? each : { '#text': each }));
}

export function nodeIn(node: XmlNode | undefined, name: string): XmlNode | undefined {
  return nodesIn(node, name)[0];
}

/** Null if the element is missing or empty. */
export function textIn(node: XmlNode | undefined, name: string): string | null {
  return textOf(nodeIn(node, name));
}

export function textOf(node: XmlNode | undefined): string | null {
  const text = node?.['#text'];
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null;
}
