// Reads one entry of a camt file. The details of a batch become separate rows only if their sum is the amount of the entry.
// Otherwise the entry is one row, because the bank booked it as one movement.
import { parseStatementAmount } from '../../../domain/statements/amount.ts';
import { parseStatementDay } from '../../../domain/statements/days.ts';
import type { NamedPayer, ParsedRow, StatementItem } from '../../../domain/statements/row.ts';
import { nodeIn, nodesIn, textIn, textOf, type XmlNode } from '../text/xml-nodes.ts';

type CamtAmount =
  | { readonly kind: 'amount'; readonly minor: bigint }
  | { readonly kind: 'problem'; readonly reason: string };

/** Returns the amount inside a node, without its sign. */
export function camtAmount(node: XmlNode | undefined): CamtAmount {
  const amount = nodeIn(node, 'Amt');
  const text = textOf(amount);
  if (text === null) return { kind: 'problem', reason: 'the entry has no amount' };
  const currency = amount?.['@Ccy'];
  if (currency !== undefined && currency !== 'NGN')
    return { kind: 'problem', reason: `the currency is ${String(currency).slice(0, 3)} and not NGN` };
  if (!/^\d+(\.\d+)?$/.test(text))
    return { kind: 'problem', reason: 'the amount is not written like 1234.50' };
  const read = parseStatementAmount(text.replace(/(\.\d{2})0+$/, '$1'));
  return read.kind === 'amount' ? read : { kind: 'problem', reason: 'the amount has more than two decimals' };
}

export function entryItems(entry: XmlNode, line: number): readonly StatementItem[] {
  const wrong = (reason: string) => [{ kind: 'problem', problem: { line, column: 1, reason } }] as const;
  const amount = camtAmount(entry);
  if (amount.kind === 'problem') return wrong(amount.reason);
  const [side, ...others] = nodesIn(entry, 'CdtDbtInd').map(textOf);
  if (side !== 'CRDT' && side !== 'DBIT')
    return wrong('the entry does not say whether it is a credit or a debit');
  const booked = dateIn(entry, 'BookgDt');
  const value = dateIn(entry, 'ValDt');
  const status = textIn(entry, 'Sts') ?? textIn(nodeIn(entry, 'Sts'), 'Cd');
  const isPending = status !== null && status !== 'BOOK';
  if (isPending && !PENDING.has(status)) return wrong(`the status ${status.slice(0, 20)} is not known`);
  if (booked === null && hasDate(entry, 'BookgDt'))
    return wrong('the booking date is not a day of the calendar');
  const day = booked ?? value;
  if (day === null) return isPending ? [] : wrong('the entry has no valid date');
  if (amount.minor === 0n) return [];
  const details = nodesIn(entry, 'NtryDtls').flatMap((each) => nodesIn(each, 'TxDtls'));
  if (others.some((each) => each !== side) || isOpposedByDetails(side, details) || !isReversalReadable(entry))
    return wrong('the entry contradicts itself about its direction: its day has the state "gap"').map(
      (item) => ({
        ...item,
        heldDay: day.day,
      }),
    );
  const whole: ParsedRow = {
    ...{ line, column: 1, day: day.day, atMs: day.atMs, valueDay: value?.day ?? null, isPending },
    ...{ amountMinor: side === 'CRDT' ? amount.minor : -amount.minor, lacks: null, isMinus: false },
    narration: textIn(entry, 'AddtlNtryInf') ?? '',
    balanceMinor: null,
    reference: textIn(entry, 'AcctSvcrRef') ?? textIn(entry, 'NtryRef'),
    payer: null,
    mark: markOfEntry(entry),
  };
  if (details.length === 1) return [{ kind: 'row', row: withDetail(whole, details[0]!) }];
  return (batchRows(whole, details) ?? [whole]).map((row) => ({ kind: 'row', row }));
}

const PENDING: ReadonlySet<string> = new Set(['PDNG', 'INFO', 'FUTR']);

function hasDate(entry: XmlNode, name: string): boolean {
  const node = nodeIn(entry, name);
  return textIn(node, 'DtTm') !== null || textIn(node, 'Dt') !== null;
}

/**
 * Returns true if every detail that has a side has the opposite side of the entry. In a batch, some details may have the
 * opposite side, for example deductions.
 */
function isOpposedByDetails(side: string, details: readonly XmlNode[]): boolean {
  const sides = details.flatMap((detail) => textIn(detail, 'CdtDbtInd') ?? []);
  return sides.length > 0 && sides.every((each) => each !== side);
}

const REVERSAL: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

function isReversalReadable(entry: XmlNode): boolean {
  const said = nodesIn(entry, 'RvslInd').map((node) => REVERSAL[textOf(node) ?? 'false']);
  return !said.includes(undefined) && new Set(said).size <= 1;
}

/** The side of an entry (debit or credit) is the side of the movement itself, even if the entry is a reversal. */
function markOfEntry(entry: XmlNode): 'reversal' | 'charge' | null {
  if (REVERSAL[textIn(entry, 'RvslInd') ?? 'false'] === true) return 'reversal';
  const family = nodeIn(nodeIn(nodeIn(entry, 'BkTxCd'), 'Domn'), 'Fmly');
  return textIn(family, 'SubFmlyCd') === 'CHRG' ? 'charge' : null;
}

function dateIn(entry: XmlNode, name: string): { readonly day: string; readonly atMs: number | null } | null {
  const node = nodeIn(entry, name);
  const time = textIn(node, 'DtTm');
  if (time !== null) return parseStatementDay(time) ?? null;
  // A date may have a time zone after it, so only the first ten characters are read.
  return parseStatementDay((textIn(node, 'Dt') ?? '').slice(0, 10)) ?? null;
}

/** Returns undefined if the details do not add up to the entry. */
function batchRows(whole: ParsedRow, details: readonly XmlNode[]): readonly ParsedRow[] | undefined {
  if (details.length === 0) return undefined;
  const rows: ParsedRow[] = [];
  let sumMinor = 0n;
  for (const detail of details) {
    const amount = detailAmount(detail);
    if (amount.kind === 'problem') return undefined;
    const side = textIn(detail, 'CdtDbtInd');
    if (side !== null && side !== 'CRDT' && side !== 'DBIT') return undefined;
    const isCredit = side === null ? whole.amountMinor > 0n : side === 'CRDT';
    const amountMinor = isCredit ? amount.minor : -amount.minor;
    sumMinor += amountMinor;
    if (amountMinor !== 0n) rows.push({ ...withDetail(whole, detail), amountMinor });
  }
  return sumMinor === whole.amountMinor ? rows : undefined;
}

/**
 * Returns the amount of the detail itself, or of its transaction. The instructed amount is not used, because it may be the
 * amount of a returned payment.
 */
function detailAmount(detail: XmlNode): CamtAmount {
  if (nodeIn(detail, 'Amt') !== undefined) return camtAmount(detail);
  return camtAmount(nodeIn(nodeIn(detail, 'AmtDtls'), 'TxAmt'));
}

function withDetail(whole: ParsedRow, detail: XmlNode): ParsedRow {
  const refs = nodeIn(detail, 'Refs');
  const ids = ['AcctSvcrRef', 'TxId', 'EndToEndId', 'InstrId', 'ClrSysRef', 'UETR'].map((name) =>
    textIn(refs, name),
  );
  const named = ids.filter((id): id is string => id !== null && id !== 'NOTPROVIDED');
  const remittance = nodesIn(nodeIn(detail, 'RmtInf'), 'Ustrd').map(textOf);
  const texts = [...remittance, textIn(detail, 'AddtlTxInf'), whole.narration || null];
  const narration = [...new Set(texts.filter((text): text is string => text !== null))].join(' ');
  // Any of the references may be the session id, so all of them are checked.
  const session = named.find((id) => /^\d{30}$/.test(id));
  return {
    ...whole,
    narration: narration.replaceAll(/\s+/g, (gap) => (gap.includes('\n') ? '\n' : gap)),
    reference: session ?? named[0] ?? whole.reference,
    payer: whole.amountMinor > 0n ? payerOf(detail) : null,
  };
}

function payerOf(detail: XmlNode): NamedPayer | null {
  const parties = nodeIn(detail, 'RltdPties');
  const debtor = nodeIn(parties, 'Dbtr');
  const name = textIn(nodeIn(debtor, 'Pty'), 'Nm') ?? textIn(debtor, 'Nm');
  const id = nodeIn(nodeIn(parties, 'DbtrAcct'), 'Id');
  const account = textIn(nodeIn(id, 'Othr'), 'Id') ?? textIn(id, 'IBAN');
  const agent = nodeIn(nodeIn(nodeIn(detail, 'RltdAgts'), 'DbtrAgt'), 'FinInstnId');
  const bankName = textIn(agent, 'Nm') ?? textIn(agent, 'BICFI') ?? textIn(agent, 'BIC');
  return name === null && account === null ? null : { name, account, bankName, from: 'field' };
}
