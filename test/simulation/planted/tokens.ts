// The tokens of a piece of TypeScript, without whitespace, comments and trailing commas. Two pieces with equal tokens differ only
// in format. The piece need not be complete: a snippet may begin and end anywhere.

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
/** A part of a template: from a backtick or the end of an expression to the next expression or the last backtick. */
const TEMPLATE = /[`}](?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y;
/** Words after which a slash begins a regular expression, as after an operator. */
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

/** The tokens of the code between two offsets. */
export function tokensOf(code: string, from = 0, to = code.length): readonly Token[] {
  const tokens: Token[] = [];
  // For each open brace: whether it opens an expression in a template.
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

/** The offset of the next token. */
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

/** The kind of quotes of a string is only format. */
function oneQuote(text: string): string {
  if (!text.startsWith('"') || text.length === 1) return text;
  return `'${text.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function match(pattern: RegExp, code: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(code)?.[0];
}

/** Every place where the tokens of the snippet follow each other: the index of the first token. */
export function findTokens(tokens: readonly Token[], snippet: readonly Token[]): readonly number[] {
  const found: number[] = [];
  for (let from = 0; from + snippet.length <= tokens.length; from++)
    if (snippet.every(({ text }, index) => tokens[from + index]!.text === text)) found.push(from);
  return found;
}
