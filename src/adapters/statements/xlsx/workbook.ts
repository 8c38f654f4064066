// What a workbook says about its sheets: their names and parts, the date system, which cell styles are dates, and the shared
// texts. A workbook with macros, with links to other workbooks or of another kind is refused.
import { XMLParser } from 'fast-xml-parser';
import { UnreadableStatement } from '../../../ports/statements.ts';
import { cutElements, refuseDocumentTypes } from '../text/elements.ts';
import { nodeIn, nodesIn, type XmlNode } from '../text/xml-nodes.ts';
import { type Archive, type ArchivePart, damaged } from './archive.ts';

const MIB = 1024 * 1024;
const MOST_PART_BYTES = 8 * MIB;
const MOST_TEXT_BYTES = 256 * MIB;
/** Shared texts stay in memory while the sheets are read. */
const MOST_TEXT_CHARACTERS = 64 * MIB;
const MOST_SHEETS = 100;
/** A cell holds at most 32,767 characters; the markup of a rich text may be longer. */
const MOST_CELL_TEXT = 512 * 1024;

export interface Sheet {
  readonly name: string;
  readonly part: ArchivePart;
}

export interface Workbook {
  /** The visible sheets, in their order. */
  readonly sheets: readonly Sheet[];
  readonly is1904: boolean;
  /** By the number of a cell's style. */
  readonly isDateStyle: readonly boolean[];
  readonly texts: readonly string[];
}

const xmlParser = new XMLParser({
  ...{ ignoreAttributes: false, attributeNamePrefix: '@', removeNSPrefix: true, trimValues: false },
  ...{ parseTagValue: false, parseAttributeValue: false, ignoreDeclaration: true, ignorePiTags: true },
});

const REFUSED: readonly (readonly [name: RegExp, what: string])[] = [
  [/(?:^|\/)vbaproject\.bin$/, 'has macros'],
  [/^xl\/externallinks\//, 'refers to other workbooks'],
  [/^xl\/workbook\.bin$/, 'is a binary one (.xlsb)'],
  [/^encryptedpackage$/, 'is encrypted'],
];

export async function readWorkbook(archive: Archive): Promise<Workbook> {
  for (const [name, what] of REFUSED)
    if ([...archive.parts.keys()].some((key) => name.test(key)))
      throw new UnreadableStatement(
        `The Excel workbook ${what}, as no bank's statement does. Save the sheet as CSV, and import the CSV.`,
      );
  const main = archive.parts.get('xl/workbook.xml');
  if (main === undefined)
    throw new UnreadableStatement(
      'The file is a ZIP archive, but not an Excel workbook (.xlsx). Unpack it, and import the statement in it.',
    );
  const workbook = nodeIn(await parsePart(archive, main), 'workbook');
  const targets = await readTargets(archive);
  const listed = nodesIn(nodeIn(workbook, 'sheets'), 'sheet');
  if (listed.length > MOST_SHEETS)
    throw new UnreadableStatement(`The workbook has more than ${MOST_SHEETS} sheets.`);
  const sheets = listed.flatMap((sheet): Sheet[] => {
    const part = archive.parts.get(targets.get(attributeIn(sheet, 'id') ?? '') ?? '');
    if (attributeIn(sheet, 'state') === 'hidden' || attributeIn(sheet, 'state') === 'veryHidden') return [];
    if (part === undefined) throw damaged();
    return [{ name: attributeIn(sheet, 'name') ?? '', part }];
  });
  const is1904 = ['1', 'true'].includes(attributeIn(nodeIn(workbook, 'workbookPr'), 'date1904') ?? '');
  return {
    sheets,
    is1904,
    isDateStyle: await readDateStyles(archive),
    texts: await readSharedTexts(archive),
  };
}

export function attributeIn(node: XmlNode | undefined, name: string): string | null {
  const value = node?.[`@${name}`];
  return typeof value === 'string' ? value : null;
}

/** The names of the sheets' parts, by the id of their relation. */
async function readTargets(archive: Archive): Promise<ReadonlyMap<string, string>> {
  const part = archive.parts.get('xl/_rels/workbook.xml.rels');
  if (part === undefined) throw damaged();
  const relations = nodesIn(nodeIn(await parsePart(archive, part), 'Relationships'), 'Relationship');
  return new Map(
    relations.map((each) => {
      const target = attributeIn(each, 'Target') ?? '';
      const name = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
      return [attributeIn(each, 'Id') ?? '', name.toLowerCase()];
    }),
  );
}

/** The built-in formats of dates and times. */
const DATE_FORMATS: ReadonlySet<number> = new Set([
  ...[14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47],
  ...[27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58],
]);

async function readDateStyles(archive: Archive): Promise<readonly boolean[]> {
  const part = archive.parts.get('xl/styles.xml');
  if (part === undefined) return [];
  const sheet = nodeIn(await parsePart(archive, part), 'styleSheet');
  const own = new Map(
    nodesIn(nodeIn(sheet, 'numFmts'), 'numFmt').map((each) => [
      attributeIn(each, 'numFmtId'),
      isDateFormat(attributeIn(each, 'formatCode') ?? ''),
    ]),
  );
  return nodesIn(nodeIn(sheet, 'cellXfs'), 'xf').map((style) => {
    const id = attributeIn(style, 'numFmtId');
    return own.get(id) ?? DATE_FORMATS.has(Number(id ?? '0'));
  });
}

/** Letters of days, months, years, hours and seconds mean a date, but not inside quotes, brackets or after an escape. */
function isDateFormat(code: string): boolean {
  const bare = code
    .slice(0, 255)
    .replaceAll(/"[^"]*"|\[[^\][]*\]|[\\_*]./g, '')
    .split(';')[0]!;
  return !/general|standard/i.test(bare) && /[dmyhs]/i.test(bare);
}

async function readSharedTexts(archive: Archive): Promise<readonly string[]> {
  const part = archive.parts.get('xl/sharedstrings.xml');
  if (part === undefined) return [];
  const texts: string[] = [];
  let characters = 0;
  for await (const found of elementsIn(archive, part, 'sst', 'si', MOST_TEXT_BYTES))
    for (const { node } of found) {
      const text = textOfString(node);
      characters += text.length;
      if (characters > MOST_TEXT_CHARACTERS)
        throw new UnreadableStatement(
          'The workbook has too much text for a statement. Save the sheet as CSV.',
        );
      texts.push(text);
    }
  return texts;
}

/** A text, or the texts of its differently formatted parts. Phonetic hints are not a part of it. */
export function textOfString(node: XmlNode | undefined): string {
  const parts = nodesIn(node, 'r');
  const texts = parts.length > 0 ? parts.flatMap((part) => nodesIn(part, 't')) : nodesIn(node, 't');
  return texts.map((text) => rawText(text) ?? '').join('');
}

export function rawText(node: XmlNode | undefined): string | null {
  const text = node?.['#text'];
  return typeof text === 'string' ? text : null;
}

interface FoundElement {
  readonly node: XmlNode;
}

/** The start of a part's first element, with the prefix of the document. */
const ROOTS = { worksheet: /<([\w-]+:)?worksheet[\s>/]/, sst: /<([\w-]+:)?sst[\s>/]/ } as const;

/** The elements of one name, one group at a time. `root` is the part's first element; it has the prefix of the document. */
export async function* elementsIn(
  archive: Archive,
  part: ArchivePart,
  root: keyof typeof ROOTS,
  name: string,
  mostBytes: number,
): AsyncGenerator<readonly FoundElement[]> {
  const text = decode(archive.open(part, mostBytes));
  const start = ROOTS[root];
  let head = '';
  const iterator = text[Symbol.asyncIterator]();
  while (!start.test(head)) {
    const { value, done } = await iterator.next();
    if (done === true || head.length > MIB) throw damaged();
    head += value;
  }
  const prefix = start.exec(head)![1] ?? '';
  async function* all() {
    try {
      yield head;
      yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      await iterator.return?.(undefined);
    }
  }
  for await (const found of cutElements(all(), { prefix, names: [name], mostCharacters: MOST_CELL_TEXT }))
    yield found.map(({ text: element }) => {
      if (element === null) throw damaged();
      return { node: parseText(element, name) };
    });
}

function parseText(text: string, name: string): XmlNode {
  try {
    const [node] = nodesIn(xmlParser.parse(text, true) as XmlNode, name);
    if (node !== undefined) return node;
  } catch {
    // The part is not well-formed.
  }
  throw damaged();
}

async function parsePart(archive: Archive, part: ArchivePart): Promise<XmlNode> {
  let text = '';
  for await (const piece of decode(archive.open(part, MOST_PART_BYTES))) text += piece;
  refuseDocumentTypes(text);
  try {
    return xmlParser.parse(text, true) as XmlNode;
  } catch {
    throw damaged();
  }
}

async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw damaged();
    throw error;
  }
}
