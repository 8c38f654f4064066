// What a reviewer compares on the command line, the same as on the page: the buys that a credit may pay, with their fields and
// reasons, and the possible actions.
import type { renderReview } from '../../renderings/review-of-record.ts';
import { printTable, type Terminal } from '../command.ts';
import { printable } from './statements/words.ts';

type Review = Awaited<ReturnType<typeof renderReview>>;
type Candidate = Review['candidates'][number];

const SIGNS: Readonly<Record<Candidate['reasons'][number]['speaks'], string>> = {
  for: '+',
  weak: '~',
  against: '-',
};

export function printComparison(terminal: Terminal, { candidates, actions }: Review): void {
  for (const [index, candidate] of candidates.entries()) printCandidate(terminal, index + 1, candidate);
  if (actions.length === 0) return;
  terminal.print('Possible actions: reviews propose, reviews reject');
  const rows = actions.map(({ action, people, amount, obstacle }) => [
    ...[action.replaceAll('_', '-'), String(people), amount ?? '-', obstacle ?? 'possible'],
  ]);
  printTable(terminal, [['ACTION', 'PEOPLE', 'AMOUNT', 'NOW'], ...rows]);
  terminal.print('');
}

function printCandidate(terminal: Terminal, place: number, candidate: Candidate): void {
  const { transaction, score, reasons, obstacle, fields } = candidate;
  const scored = score === null ? 'chosen by a person, without a score' : `score ${score}`;
  terminal.print(`Candidate ${place}: ${transaction.id}, ${transaction.state}, ${scored}`);
  const rows = fields.map(({ label, credit, claim, agrees }) => [
    ...[label, printable(credit ?? '-'), printable(claim ?? '-')],
    agrees === null ? '' : agrees ? 'agrees' : 'differs',
  ]);
  printTable(terminal, [['FIELD', 'CREDIT', 'BUY', ''], ...rows]);
  for (const { text, speaks } of reasons) terminal.print(`  ${SIGNS[speaks]} ${text}`);
  terminal.print(obstacle === null ? '  It can be matched.\n' : `  It cannot be matched: ${obstacle}\n`);
}
