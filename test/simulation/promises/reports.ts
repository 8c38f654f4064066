// Checks reports of several sources about one transfer. The transfer counts once, whatever the number, order and content of the
// reports. The service links matching reports, and makes a case for people of each other report.
import type { BankCredit, CreditReport } from '../../../src/domain/records/credit.ts';
import { elsewhereOf, transferOf } from '../people/second-source.ts';
import { FICKLE } from '../world/rails/options.ts';
import type { Setting } from '../world/setting.ts';

export function oneTransferCountsOnce({ model, outside, broken }: Setting): void {
  const counted = new Map<string, BankCredit>();
  for (const credit of model.tables.credits.values()) {
    if (credit.parentId !== null) continue;
    const transfer = transferOf(credit.sourceId);
    const other = counted.get(transfer);
    if (other !== undefined)
      broken('one transfer counts once', `${transfer} as ${other.id} and ${credit.id}`, credit.id);
    counted.set(transfer, credit);
    const elsewhere = elsewhereOf(credit.sourceId);
    if (elsewhere !== undefined && (elsewhere.way !== 'lost' || !isDecided(model.tables, credit.id)))
      broken('a report gives no value by itself', credit.sourceId, credit.id);
  }
  for (const { line, rail } of outside.happened.lines)
    if (line.kind === 'credit' && rail === FICKLE && !counted.has(transferOf(line.sourceId)))
      broken('what the source of an account reports is credited', line.sourceId, null);
}

export function countedMinor({ model }: Setting): bigint {
  const { credits } = model.tables;
  return [...credits.values()]
    .filter(({ sourceId, parentId }) => parentId === null && elsewhereOf(sourceId)?.way === 'lost')
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}

function isDecided(
  { proposals, reports, closedCases, cases }: Setting['model']['tables'],
  creditId: string,
): boolean {
  const report = [...reports.values()].find((each) => each.state === 'counted' && each.creditId === creditId);
  const all = [...cases.values(), ...closedCases.values()];
  const found = all.find(({ about }) => report !== undefined && about === report.id);
  return [...proposals.values()].some(
    ({ request, decision }) =>
      request.action === 'counted' && request.subjectId === found?.id && decision?.approved === true,
  );
}

/** A tolerance, because clocks differ and a check may run late. */
const SLACK_MS = 45_000;

export function reportsAreAnswered(setting: Setting): void {
  const { model, broken } = setting;
  const { reports, cases, closedCases, credits } = model.tables;
  const asked = new Set([...cases.values(), ...closedCases.values()].map(({ about }) => about));
  const credited = new Map(
    [...credits.values()].flatMap((credit) =>
      credit.parentId === null ? [[transferOf(credit.sourceId), credit] as const] : [],
    ),
  );
  const linked = new Set<string>();
  for (const report of reports.values()) {
    const { id, state, creditId, sourceId, source, isRepeat } = report;
    if (state === 'waiting') broken('every report is answered', `${id} (${sourceId}) waits`, id);
    if (state !== 'linked' && !asked.has(id))
      broken('what fits no credit is a case', `${id} (${sourceId})`, id);
    if (state !== 'linked') {
      const credit = credited.get(transferOf(sourceId));
      if (credit !== undefined && mustLink(setting, report, credit))
        broken('reports that agree are linked', `${id} (${sourceId}) is ${state}`, id);
      continue;
    }
    if (!isRepeat && linked.has(`${source} ${creditId}`))
      broken('a credit has one report of each source', `${creditId}: ${sourceId}`, id);
    if (!isRepeat) linked.add(`${source} ${creditId}`);
    if (!fits(setting, report, credits.get(creditId!)))
      broken('reports that disagree are a case', `${id} (${sourceId}) is linked to ${creditId}`, id);
  }
}

/**
 * Compares the real transfers. A report does not belong to this credit if it is about other money, or if both name a payer and
 * the payers differ.
 */
function fits({ outside }: Setting, report: CreditReport, credit: BankCredit | undefined): boolean {
  const { sourceId, amountMinor, accountNumber, payerAccount } = report;
  const way = elsewhereOf(sourceId)?.way ?? 'same';
  if (way === 'other_amount' || way === 'other_payer' || way === 'lost' || way === 'phantom') return false;
  if (credit?.amountMinor !== amountMinor || credit.accountNumber !== accountNumber) return false;
  const payerOf = (name: string) => outside.payers.get(transferOf(name))?.slice(-4);
  // The simulation does not know the payer of a payment that a sandbox scenario made.
  const payer = payerOf(credit.sourceId);
  const isNamed = payerAccount !== null && credit.payerAccount !== null && payer !== undefined;
  return !isNamed || payerOf(sourceId) === payer;
}

const AGREE: ReadonlySet<string> = new Set(['same', 'masked', 'by_session', 'twice_by_session']);

function mustLink({ model, restore }: Setting, report: CreditReport, credit: BankCredit): boolean {
  const way = elsewhereOf(report.sourceId)?.way ?? 'by_session';
  if (!AGREE.has(way) || restore.atMs !== null) return false;
  if (credit.receivedAtMs + SLACK_MS > report.receivedAtMs) return false;
  // The credit may already be linked to another report of the same source.
  return ![...model.tables.reports.values()].some(
    (other) =>
      other.state === 'linked' &&
      other.creditId === credit.id &&
      other.source === report.source &&
      !report.isRepeat,
  );
}
