// One record with its related records, for the reviewer who decides about it.
import { type RecordReadDeps, recordReadOf } from '../../app/audit/record-read.ts';
import { findProposal, type ProposalDeps } from '../../app/review/decide-proposal.ts';
import { NAIRA } from '../../domain/values/assets.ts';
import { formatNaira } from '../../domain/values/money.ts';
import { CommandError, type Terminal, table } from '../command.ts';
import { describeRequest } from './review-words.ts';
import { describeProposal } from './setting-words.ts';

type Reader = ProposalDeps & RecordReadDeps & { readonly actor: string };

export async function printSubject(terminal: Terminal, reads: Reader, id: string): Promise<void> {
  const { store, reviewDesk } = reads;
  const found = await findSubject(reads, id);
  if (found === undefined)
    throw new CommandError(
      `There is no transaction, credit, deposit, refund, notice or proposal ${id}. See: bin/sliproad reviews list`,
    );
  await recordReadOf(reads, reads.actor, id, 'reviews show');
  printRecord(terminal, found);
  if (id.startsWith('txn_')) {
    const [credits, deposits, movements, lines] = await Promise.all([
      store.creditsOf([id]),
      store.depositsOf([id]),
      store.movementsOf([id]),
      store.timeline(id),
    ]);
    for (const each of [...credits, ...deposits, ...movements]) printRecord(terminal, each);
    const rows = lines.map(({ atMs, from, to, actor, reason, evidence }) => [
      ...[timeOf(atMs), from ?? '-', to, actor, reason],
      evidence === null ? '' : JSON.stringify(evidence),
    ]);
    if (rows.length > 0) terminal.print(table([['TIME', 'FROM', 'TO', 'BY', 'WHY', 'EVIDENCE'], ...rows]));
  }
  if (id.startsWith('mov_')) {
    const last = (await store.lastAttempts([id])).get(id);
    if (last !== undefined) {
      const { no, rail, reference, state, replacements, evidence } = last;
      printRecord(terminal, {
        attempt: no,
        rail,
        reference,
        state,
        signedAgain: replacements.length,
        evidence,
      });
    }
  }
  if (id.startsWith('crd_'))
    for (const each of await store.movementsOfCredit(id)) printRecord(terminal, each);
  for (const { id: proposal, request, proposedBy } of await reviewDesk.openProposalsOn(id)) {
    terminal.print(
      `${proposedBy} proposes to ${describeRequest(request)}. To approve: bin/sliproad reviews approve ${proposal}`,
    );
  }
}

async function findSubject(reads: ProposalDeps, id: string): Promise<object | undefined> {
  const { store, reviewDesk } = reads;
  switch (id.slice(0, 4)) {
    case 'txn_':
      return (await store.transactionsById([id])).get(id);
    case 'crd_':
      return (await store.creditsById([id])).get(id);
    case 'dep_':
      return reviewDesk.depositById(id);
    case 'mov_':
      return store.movementById(id);
    case 'ntc_':
      return reviewDesk.noticeById(id);
    case 'prp_': {
      const found = await findProposal(reads, id);
      return found && { what: describeProposal(found), ...found.proposal };
    }
    default:
      return undefined;
  }
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
