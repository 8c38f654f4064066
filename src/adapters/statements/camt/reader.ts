// Reads camt.053 (statements) and camt.054 (notices of single entries) in every version from 001.02 on. Entries are cut out of
// the stream and parsed one by one. Amounts stay text until they are converted to kobo.
import { XMLParser } from 'fast-xml-parser';
import { parseStatementDay } from '../../../domain/statements/days.ts';
import type { StatementItem } from '../../../domain/statements/row.ts';
import type { OpenedStatement } from '../../../ports/statements.ts';
import { cutOffStatement } from '../text/cut-off.ts';
import { cutElements, type XmlElement } from '../text/elements.ts';
import { decodeHead, decodeText, type PeekedStream } from '../text/text-stream.ts';
import { nodeIn, nodesIn, textIn, type XmlNode } from '../text/xml-nodes.ts';
import { camtAmount, entryItems } from './entry.ts';

const MOST_CHARACTERS = 4 * 1024 * 1024;

const parser = new XMLParser({
  ...{ ignoreAttributes: false, attributeNamePrefix: '@', removeNSPrefix: true, trimValues: true },
  ...{ parseTagValue: false, parseAttributeValue: false, ignoreDeclaration: true, ignorePiTags: true },
});

export function openCamt(peeked: PeekedStream, format: 'camt.053' | 'camt.054'): OpenedStatement {
  const listing = format === 'camt.053' ? 'everything' : 'some';
  return { format, profile: format, isUnverified: false, listing, items: itemsOf(peeked) };
}

async function* itemsOf(peeked: PeekedStream): AsyncGenerator<readonly StatementItem[]> {
  const names = ['Ntry', 'Bal', 'Acct', 'FrToDt'];
  const prefix = /<([\w-]+:)?(?:Document|BkToCstmr\w+)[\s>]/.exec(decodeHead(peeked.head))?.[1] ?? '';
  const cut = { prefix, names, mostCharacters: MOST_CHARACTERS };
  const text = watchForEnd(decodeText(peeked));
  let waiting: readonly StatementItem[] = [];
  for await (const elements of cutElements(text.pieces, cut)) {
    const items = elements.flatMap((element): readonly StatementItem[] => {
      const { name, text, line } = element;
      if (text === null) return [problemItem(line, 'the entry is too long, or the file ends inside of it')];
      const node = parseElement(element, text);
      if (node === undefined) return [problemItem(line, 'the entry is not well-formed XML')];
      if (name === 'Acct') {
        const items = [...accountItems(node, line), ...waiting];
        waiting = [];
        return items;
      }
      if (name === 'FrToDt') {
        // The period of a statement stands before its account, but it belongs to it.
        waiting = periodItems(node);
        return [];
      }
      if (name === 'Ntry') return entryItems(node, line);
      return balanceItems(node, line);
    });
    if (items.length > 0) yield items;
  }
  if (!text.hasEnded()) throw cutOffStatement('the end of the statement (</BkToCstmr…>) is missing');
}

const END = /<\/(?:[\w-]+:)?BkToCstmr\w+\s*>/;
const LONGEST_END = 100;

function watchForEnd(text: AsyncIterable<string>) {
  let tail = '';
  let hasEnded = false;
  async function* passed() {
    for await (const piece of text) {
      hasEnded ||= END.test(tail + piece);
      tail = piece.slice(-LONGEST_END);
      yield piece;
    }
  }
  return { pieces: passed(), hasEnded: () => hasEnded };
}

function parseElement({ name }: XmlElement, text: string): XmlNode | undefined {
  try {
    const root = parser.parse(text, true) as XmlNode;
    return nodesIn(root, name)[0];
  } catch {
    return undefined;
  }
}

function accountItems(node: XmlNode, line: number): readonly StatementItem[] {
  const id = nodeIn(node, 'Id');
  const text = textIn(id, 'IBAN') ?? textIn(nodeIn(id, 'Othr'), 'Id');
  return text === null ? [] : [{ kind: 'account', text, line }];
}

/** OPBD and PRCD are the balance before the booked entries. CLBD is the balance after them. */
function balanceItems(node: XmlNode, line: number): readonly StatementItem[] {
  const type = nodeIn(nodeIn(node, 'Tp'), 'CdOrPrtry');
  const code = textIn(type, 'Cd');
  const what = code === 'OPBD' || code === 'PRCD' ? 'opening' : code === 'CLBD' ? 'closing' : null;
  if (what === null) return [];
  const amount = camtAmount(node);
  if (amount.kind === 'problem') return [problemItem(line, amount.reason)];
  const date = nodeIn(node, 'Dt');
  const text = textIn(date, 'Dt') ?? textIn(date, 'DtTm');
  const day = text === null ? undefined : parseStatementDay(text.slice(0, 10))?.day;
  const amountMinor = textIn(node, 'CdtDbtInd') === 'DBIT' ? -amount.minor : amount.minor;
  // The balance of a single page has the sub-type INTM. Only the first and the last balance of a day prove that the statement
  // of the day is complete.
  const isWhole = textIn(nodeIn(nodeIn(node, 'Tp'), 'SubTp'), 'Cd') !== 'INTM';
  return [{ kind: 'balance', what, day: day ?? null, amountMinor, isWhole, line }];
}

function periodItems(node: XmlNode): readonly StatementItem[] {
  const from = parseStatementDay(textIn(node, 'FrDtTm') ?? textIn(node, 'FrDt') ?? '')?.day;
  const to = parseStatementDay(textIn(node, 'ToDtTm') ?? textIn(node, 'ToDt') ?? '')?.day;
  return from === undefined || to === undefined || from > to ? [] : [{ kind: 'period', from, to }];
}

function problemItem(line: number, reason: string): StatementItem {
  return { kind: 'problem', problem: { line, column: 1, reason } };
}
