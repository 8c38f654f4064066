// One record with its related records, for the reviewer who decides about it.
import { type RecordReadDeps, recordReadOf } from '../../app/audit/record-read.ts';
import { findProposal, type ProposalDeps } from '../../app/review/decide-proposal.ts';
import { type RecordWithRest, readRecord } from '../../app/review/read-record.ts';
import { NAIRA } from '../../domain/values/assets.ts';
import { formatNaira } from '../../domain/values/money.ts';
import { CommandError, type Terminal, table } from '../command.ts';
import { describeRequest } from './review-words.ts';
import { describeProposal } from './setting-words.ts';

type Reader = ProposalDeps & RecordReadDeps & { readonly actor: string };

export async function printSubject(terminal: Terminal, reads: Reader, id: string): Promise<void> {
  const found = id.startsWith('prp_') ? await readProposal(reads, id) : await readRecord(reads, id);
  if (found === undefined)
    throw new CommandError(
      `There is no transaction, credit, deposit, refund, notice or proposal ${id}. See: bin/sliproad reviews list`,
    );
  await recordReadOf(reads, reads.actor, id, 'reviews show');
  const { record, credits, deposits, movements, timeline, attempt, proposals } = found;
  for (const each of [record, ...credits, ...deposits, ...movements]) printRecord(terminal, each);
  printTimeline(terminal, timeline);
  if (attempt !== null) {
    const { no, rail, reference, state, replacements, evidence } = attempt;
    printRecord(terminal, {
      attempt: no,
      rail,
      reference,
      state,
      signedAgain: replacements.length,
      evidence,
    });
  }
  for (const { id: proposal, request, proposedBy } of proposals) {
    terminal.print(
      `${proposedBy} proposes to ${describeRequest(request)}. To approve: bin/sliproad reviews approve ${proposal}`,
    );
  }
}

/** A proposal stands alone: what it is about is one more look. */
async function readProposal(reads: ProposalDeps, id: string): Promise<RecordWithRest | undefined> {
  const found = await findProposal(reads, id);
  if (found === undefined) return undefined;
  const record = { what: describeProposal(found), ...found.proposal };
  return { record, credits: [], deposits: [], movements: [], timeline: [], attempt: null, proposals: [] };
}

function printTimeline(terminal: Terminal, timeline: RecordWithRest['timeline']): void {
  const rows = timeline.map(({ atMs, from, to, actor, reason, evidence }) => [
    ...[timeOf(atMs), from ?? '-', to, actor, reason],
    evidence === null ? '' : JSON.stringify(evidence),
  ]);
  if (rows.length > 0) terminal.print(table([['TIME', 'FROM', 'TO', 'BY', 'WHY', 'EVIDENCE'], ...rows]));
}

function printRecord(terminal: Terminal, record: object): void {
  const shown = Object.entries(record).filter(([, value]) => value !== null && value !== '');
  terminal.print(`${table(shown.map(([name, value]) => [name, textOf(name, value, record)]))}\n`);
}

function textOf(name: string, value: unknown, record: object): string {
  if (typeof value === 'number' && name.endsWith('AtMs')) return timeOf(value);
  // The minor units of a token are not kobo.
  const naira = !('asset' in record) || record.asset === NAIRA || name === 'nairaMinor';
  if (typeof value === 'bigint') return naira ? formatNaira(value) : value.toString();
  if (typeof value !== 'object') return String(value);
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? each.toString() : each));
}

function timeOf(atMs: number): string {
  return new Date(atMs).toISOString();
}
