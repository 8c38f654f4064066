// The events of a seed as text, line by line, with simulated times: all of them for a trace, or those of one transaction for a
// story, found by its ids.
import type { Change } from '../../../src/domain/records/change.ts';
import { bankReference } from '../../../src/domain/records/movement.ts';
import type { Tables } from '../model/tables.ts';

export interface Tale {
  readonly wanted: boolean;
  line(who: string, what: string): void;
  readonly lines: readonly string[];
}

export function makeTale(wanted: boolean, now: () => number): Tale {
  const startMs = now();
  const lines: string[] = [];
  return {
    wanted,
    lines,
    line: (who, what) => {
      if (wanted) lines.push(`${clockText(now() - startMs)}  ${who.padEnd(9)} ${what}`);
    },
  };
}

function clockText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const seconds = ((ms % 60_000) / 1_000).toFixed(3);
  return `${String(minutes).padStart(3, '0')}:${seconds.padStart(6, '0')}`;
}

export function storyOf(lines: readonly string[], names: ReadonlySet<string>): readonly string[] {
  const wanted = [...names].filter((name) => name !== '');
  return lines.filter((line) => wanted.some((name) => line.includes(name)));
}

export function printChange(tale: Tale, change: Change): void {
  const say = (what: string) => tale.line('books', what);
  for (const { after, line } of change.transactions ?? [])
    if (line !== null)
      say(
        `${after.id} ${line.from} → ${line.to}: ${line.reason}${after.exception === null ? '' : ` (${after.exception})`}`,
      );
  for (const credit of change.newCredits ?? [])
    say(`${credit.id} is ${credit.sourceId}: ${credit.amountMinor}`);
  for (const { after } of change.credits ?? [])
    say(`${after.id} ${after.state} ${after.exception ?? ''} for ${after.transactionId ?? 'no transaction'}`);
  for (const deposit of change.newDeposits ?? [])
    say(
      `${deposit.id} of ${deposit.amountMinor} for ${deposit.transactionId ?? 'no transaction'}, in ${deposit.txHash}`,
    );
  for (const { after } of change.deposits ?? []) say(`${after.id} ${after.state} ${after.exception ?? ''}`);
  for (const notice of change.newNotices ?? []) say(`${notice.id} ${notice.kind} about ${notice.about}`);
  for (const { after } of change.notices ?? []) say(`${after.id} ${after.state}`);
  for (const movement of change.newMovements ?? [])
    say(
      `${movement.id} ${movement.kind} of ${movement.amountMinor} for ${movement.transactionId ?? movement.creditId ?? movement.depositId}`,
    );
  for (const { after } of change.movements ?? [])
    say(`${after.id} ${after.state}${after.reason === null ? '' : `: ${after.reason}`}`);
  for (const { movementId, no, state, reference } of change.attempts ?? [])
    say(`${movementId} attempt ${no} ${state} ${reference}`);
  for (const { event, subjectId, postings } of change.entries ?? [])
    say(`ledger: ${event} of ${postings[0]?.amountMinor ?? 0n} for ${subjectId}`);
}

export function namesOf(tables: Tables, subject: string): ReadonlySet<string> {
  const names = new Set([subject]);
  const owner = ownerOf(tables, subject);
  names.add(owner);
  const reference = tables.transactions.get(owner)?.reference;
  if (reference !== undefined) for (const name of [`${reference} `, `-${reference} `]) names.add(name);
  const meant = ({ transactionId, id }: { transactionId: string | null; id: string }) =>
    transactionId === owner || id === subject;
  for (const credit of tables.credits.values())
    if (meant(credit)) for (const name of [credit.id, credit.sourceId]) names.add(name);
  for (const deposit of tables.deposits.values())
    if (meant(deposit)) for (const name of [deposit.id, deposit.txHash]) names.add(name);
  for (const movement of tables.movements.values()) {
    if (!meant(movement)) continue;
    names.add(movement.id).add(bankReference(movement.id));
    for (const { reference } of tables.attempts.get(movement.id) ?? []) names.add(reference);
  }
  return names;
}

function ownerOf(tables: Tables, subject: string): string {
  const record =
    tables.credits.get(subject) ?? tables.deposits.get(subject) ?? tables.movements.get(subject) ?? null;
  return record?.transactionId ?? subject;
}
