// Shows one record and its related records to the reviewer who decides about it. For a case, it also shows the commands that
// close it.
import { type RecordReadDeps, recordReadOfRecord } from '../../app/audit/record-actions.ts';
import { checkableAssets } from '../../app/ledger/check-ledger.ts';
import type { TokenDecimals } from '../../app/ledger/judge-ledger.ts';
import type { CompareCandidatesDeps } from '../../app/operations/compare-candidates.ts';
import { listPossibleActions } from '../../app/operations/list-possible-actions.ts';
import { readProposal, readReview } from '../../app/operations/read-review.ts';
import type { ProposalDeps } from '../../app/review/decide-proposal.ts';
import type { RecordWithRelated } from '../../app/review/read-record.ts';
import { describeReviewRequest } from '../../domain/review/describe-review-request.ts';
import { CASE_TEXTS } from '../../domain/review/describe-wait-reason.ts';
import type { ReviewRequest } from '../../domain/review/proposal.ts';
import { isMode } from '../../domain/values/mode.ts';
import { formatNaira, NAIRA } from '../../domain/values/money.ts';
import { type CaseDeps, readCase } from '../../renderings/cases.ts';
import { renderShownProposal } from '../../renderings/proposals.ts';
import { type ContextDeps, readSubjectContext, renderAction } from '../../renderings/review.ts';
import { renderReview } from '../../renderings/review-of-record.ts';
import { isoTimeText, printTable, type Terminal } from '../command.ts';
import { amountText } from '../ledger-tables.ts';
import { CommandError } from '../terminal/command-error.ts';
import { asJsonObject, type Json } from '../terminal/json.ts';
import { formatPairs } from '../terminal/table.ts';
import { printComparison } from './review-candidates.ts';

type RecordReader = ProposalDeps &
  Omit<CompareCandidatesDeps, 'policies'> &
  CaseDeps &
  ContextDeps &
  RecordReadDeps & { readonly actor: string };

export async function printSubject(terminal: Terminal, reads: RecordReader, id: string): Promise<Json> {
  if (id.startsWith('prp_')) return printProposal(terminal, reads, id);
  const { policies } = terminal.config;
  const review = await readReview({ ...reads, policies }, { id, actor: reads.actor, compareWith: null });
  if (review === undefined) throw noRecordError(id);
  await recordReadOfRecord(reads, reads.actor, id, 'reviews show');
  const { record, credits, deposits, movements, timeline, attempt, proposals } = review.found;
  const decimals = checkableAssets(reads.networks);
  for (const each of [record, ...credits, ...deposits, ...movements]) printRecord(terminal, each, decimals);
  printTimeline(terminal, timeline);
  if (attempt !== null) {
    const { no, rail, reference, state, replacements, evidence } = attempt;
    const shown = { attempt: no, rail, reference, state, signedAgain: replacements.length, evidence };
    printRecord(terminal, shown, decimals);
  }
  const answer = await renderReview(reads, review);
  printComparison(terminal, answer);
  for (const { id: proposal, request, proposedBy } of proposals) {
    terminal.print(
      `${proposedBy} proposes to ${describeReviewRequest(request)}. To approve: bin/sliproad reviews approve ${proposal}`,
    );
  }
  return asJsonObject(answer);
}

function noRecordError(id: string): CommandError {
  return new CommandError(
    `There is no transaction, credit, deposit, refund, notice, case or proposal ${id}. See: bin/sliproad reviews list`,
    'not_found',
  );
}

/** Prints a proposal without the record that it is about, because another command shows that record. */
async function printProposal(terminal: Terminal, reads: RecordReader, id: string): Promise<Json> {
  const shown = await readProposal(reads, id);
  if (shown === undefined) throw noRecordError(id);
  await recordReadOfRecord(reads, reads.actor, id, 'reviews show');
  const record = { what: shown.what, ...shown.found.proposal };
  printRecord(terminal, record, checkableAssets(reads.networks));
  return asJsonObject({ proposal: renderShownProposal(shown, await readSubjectContext(reads, [])) });
}

function printTimeline(terminal: Terminal, timeline: RecordWithRelated['timeline']): void {
  const rows = timeline.map(({ atMs, from, to, actor, reason, evidence }) => [
    ...[isoTimeText(atMs), from ?? '-', to, actor, reason],
    evidence === null ? '' : JSON.stringify(evidence),
  ]);
  if (rows.length > 0) printTable(terminal, [['TIME', 'FROM', 'TO', 'BY', 'WHY', 'EVIDENCE'], ...rows]);
}

function printRecord(terminal: Terminal, record: object, decimals: TokenDecimals): void {
  const shown = Object.entries(record).filter(([, value]) => value !== null && value !== '');
  const rows = shown.map(([name, value]) => [name, textOf(name, value, record, decimals)]);
  terminal.print(`${formatPairs(rows, terminal.paint)}\n`);
}

function textOf(name: string, value: unknown, record: object, decimals: TokenDecimals): string {
  if (typeof value === 'number' && name.endsWith('AtMs')) return isoTimeText(value);
  if (typeof value === 'bigint') {
    // A token has its own minor unit, which is not the kobo.
    const { asset = NAIRA, mode } = record as { readonly asset?: string; readonly mode?: string };
    if (asset === NAIRA || name === 'nairaMinor' || mode === undefined || !isMode(mode))
      return formatNaira(value);
    return amountText(value, mode, asset, decimals);
  }
  if (typeof value !== 'object') return String(value);
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? each.toString() : each));
}

const COMMANDS: Readonly<Partial<Record<ReviewRequest['action'] | 'reject', string>>> = {
  pay_again: 'pay-again ID --bank NAME --account NUMBER --name NAME',
  refund: 'send-back ID',
  recovered: 'recovered ID --bank NAME --account NUMBER',
  accepted: 'accept-loss ID',
  counted: 'count ID',
  explained: 'explained ID',
  write_off: 'write-off ID',
};

export async function printCase(terminal: Terminal, reads: RecordReader, id: string): Promise<Json> {
  const found = await reads.reviewDesk.caseById(id);
  if (found === undefined)
    throw new CommandError(`There is no case ${id}. See: bin/sliproad cases list`, 'not_found');
  await recordReadOfRecord(reads, reads.actor, id, 'cases show');
  const { movementId = null } = found;
  const movement = movementId === null ? undefined : await reads.store.movementById(movementId);
  const actions = found.closedAtMs === null ? await listPossibleActions(reads, found, reads.actor) : [];
  const rows = [
    ['case', id],
    ['what', CASE_TEXTS[found.kind]],
    ['mode', found.mode],
    ['amount', formatNaira(found.amountMinor)],
    ['transaction', found.transactionId ?? '-'],
    ['credit', found.creditId ?? '-'],
    ['movement', movement === undefined ? '-' : `${movement.id}, ${movement.kind}, ${movement.state}`],
    ['opened', isoTimeText(found.openedAtMs)],
    [
      'closed',
      found.closedAtMs === null ? '-' : `${isoTimeText(found.closedAtMs)}, ${found.outcome ?? 'by hand'}`,
    ],
  ];
  terminal.print(`${formatPairs(rows, terminal.paint)}\n`);
  for (const { action, obstacle } of actions) {
    if (obstacle === null)
      terminal.print(`bin/sliproad reviews propose ${COMMANDS[action]!.replace('ID', id)}`);
  }
  return asJsonObject({ ...(await readCase(reads, id)), actions: actions.map(renderAction) });
}
