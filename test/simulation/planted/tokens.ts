// Splits a piece of TypeScript into tokens, without whitespace, comments and trailing commas. Two pieces with the same tokens
// differ only in format. A piece may be incomplete, because a snippet may begin and end anywhere.

export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const SPACE = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y;
const STRING = /'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"/y;
const WORD = /[#\p{ID_Start}$_][\p{ID_Continue}$]*/uy;
const NUMBER = /\d[\w.]*/y;
const REGEXP = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/[\\\n])+\/[a-z]*/y;
const SIGN =
  /\.\.\.|=>|[=!]==?|(?:\*\*|&&|\|\||\?\?|<<|>>>?|[-+*/%&|^<>])=|\*\*|&&|\|\||\?\?|\?\.(?!\d)|\+\+|--|[^\s]/y;
const TEMPLATE = /[`}](?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y;
const BEFORE_VALUE = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'delete',
  'void',
  'throw',
  'new',
  'await',
]);
const CLOSING = new Set([')', ']', '}']);

export function tokensOf(code: string, from = 0, to = code.length): readonly Token[] {
  const tokens: Token[] = [];
  // Holds one value for each open brace: whether the brace opens an expression in a template string.
  const braces: boolean[] = [];
  for (let at = skipSpace(code, from); at < to; at = skipSpace(code, at)) {
    const inTemplate = code[at] === '}' && braces.pop() === true;
    const text = inTemplate || code[at] === '`' ? templateAt(code, at) : tokenAt(code, at, tokens.at(-1));
    if (text === '{') braces.push(false);
    else if (text.length > 1 && text.endsWith('${')) braces.push(true);
    tokens.push({ text: oneQuote(text), start: at, end: at + text.length });
    at += text.length;
  }
  return tokens.filter(({ text }, index) => text !== ',' || !CLOSING.has(tokens[index + 1]?.text[0] ?? ''));
}

export function skipSpace(code: string, at: number): number {
  return at + (match(SPACE, code, at)?.length ?? 0);
}

function templateAt(code: string, at: number): string {
  const text = match(TEMPLATE, code, at);
  if (text === undefined) throw new Error(`the template literal is not closed: ${code.slice(at)}`);
  return text;
}

function tokenAt(code: string, at: number, before: Token | undefined): string {
  const text = match(STRING, code, at) ?? match(WORD, code, at) ?? match(NUMBER, code, at);
  if (text !== undefined) return text;
  return (beginsValue(before) ? match(REGEXP, code, at) : undefined) ?? match(SIGN, code, at)!;
}

function beginsValue(before: Token | undefined): boolean {
  if (before === undefined || BEFORE_VALUE.has(before.text)) return true;
  return !/[\p{ID_Continue}$)\]}'"`/]$/u.test(before.text);
}

/** The kind of quotes around a string is only format, so all strings get the same quotes. */
function oneQuote(text: string): string {
  if (!text.startsWith('"') || text.length === 1) return text;
  return `'${text.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function match(pattern: RegExp, code: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(code)?.[0];
}

export function findTokens(tokens: readonly Token[], snippet: readonly Token[]): readonly number[] {
  const found: number[] = [];
  for (let from = 0; from + snippet.length <= tokens.length; from++)
    if (snippet.every(({ text }, index) => tokens[from + index]!.text === text)) found.push(from);
  return found;
}
