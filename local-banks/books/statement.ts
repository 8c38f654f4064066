// The statement of one of the operator's accounts, like the export of a bank. Each movement of money is a row with the balance
// after it, oldest first. Charges and reversals are separate rows.
import type { BankBooks } from './books.ts';
import { chargeParts } from './charges.ts';
import type { Credit, LocalRailName, OwnAccount, Payout } from './entries.ts';
import { lagosTime } from './identifiers.ts';
import { type Kobo, nairaText } from './money.ts';

export interface StatementLine {
  readonly at: number;
  readonly description: string;
  readonly reference: string;
  readonly amountKobo: Kobo;
  readonly balanceKobo: Kobo;
}

type StatementMove = Omit<StatementLine, 'balanceKobo'>;

const PAYS: Readonly<Record<LocalRailName, string>> = {
  providus: 'main',
  paystack: 'balance',
  monnify: 'wallet',
};

export function statementOf(books: BankBooks, account: OwnAccount): readonly StatementLine[] {
  const { rail, number } = account;
  const pays = account.reference === PAYS[rail];
  const moved = [
    ...books
      .creditsOf(rail)
      .flatMap((credit) => (credit.account === number ? creditRows(books, credit) : [])),
    ...(pays ? books.payoutsOf(rail).flatMap((payout) => payoutRows(books, payout)) : []),
    ...(pays ? books.topUpsOf(rail).map(({ at, amountKobo }) => ({ ...TOP_UP, at, amountKobo })) : []),
  ].toSorted((a, b) => a.at - b.at);
  let balanceKobo = 0n;
  return moved.map((row) => {
    balanceKobo += row.amountKobo;
    return { ...row, balanceKobo };
  });
}

const TOP_UP = { description: 'TRANSFER FROM OWN ACCOUNT', reference: '' } as const;

function creditRows(books: BankBooks, credit: Credit): readonly StatementMove[] {
  const { at, amountKobo, feeKobo, sessionId: reference, payer, narration } = credit;
  const takenBackAt = books.takenBackAt(credit);
  const rows: StatementMove[] = [
    { at, amountKobo, reference, description: `NIP/${payer.name}/${narration}/${reference}` },
    { at, amountKobo: -feeKobo, reference, description: 'TRANSACTION FEE' },
  ];
  if (takenBackAt !== undefined)
    rows.push(
      { at: takenBackAt, amountKobo: -amountKobo, reference, description: `REVERSAL NIP/${reference}` },
      { at: takenBackAt, amountKobo: feeKobo, reference, description: 'REVERSAL TRANSACTION FEE' },
    );
  return rows.filter((row) => row.amountKobo !== 0n);
}

/**
 * The amount leaves the account when the bank accepts the payout, and returns when the payout fails or is reversed. The charge
 * leaves the account once the payout is paid.
 */
function payoutRows(books: BankBooks, payout: Payout): readonly StatementMove[] {
  const { reference, amountKobo, sessionId, name } = payout;
  const rows: StatementMove[] = [];
  let [isGone, isCharged] = [false, false];
  for (const { state, since: at } of books.history(payout)) {
    const leaves = state === 'pending' || state === 'paid';
    if (leaves && !isGone)
      rows.push({
        at,
        reference,
        amountKobo: -amountKobo,
        description: `NIP TRF TO ${name}/${sessionId}/${reference}`,
      });
    if (!leaves && isGone)
      rows.push({ at, reference, amountKobo, description: `REVERSAL NIP TRF/${sessionId}/${reference}` });
    isGone = leaves;
    if (state !== 'paid' || isCharged || payout.chargeKobo === 0n) continue;
    isCharged = true;
    const { feeKobo, taxKobo, dutyKobo } = chargeParts(amountKobo);
    rows.push(
      { at, reference, amountKobo: -feeKobo, description: 'NIP CHARGE' },
      { at, reference, amountKobo: -taxKobo, description: 'VAT ON NIP CHARGE' },
      { at, reference, amountKobo: -dutyKobo, description: 'STAMP DUTY' },
    );
  }
  return rows.filter((row) => row.amountKobo !== 0n);
}

const STATEMENT_COLUMNS = ['Date', 'Value Date', 'Description', 'Reference', 'Debit', 'Credit', 'Balance'];

/** Writes the rows of these Lagos days, the first and the last day included. The balances are those of the whole account. */
export function statementCsv(lines: readonly StatementLine[], from = '', to = '9999-12-31'): string {
  const rows = lines
    .map((line) => ({ ...line, day: dayOf(line) }))
    .filter(({ day }) => day >= from && day <= to)
    .map(({ day, description, reference, amountKobo, balanceKobo }) => [
      ...[day, day, description, reference],
      ...[amountKobo < 0n ? nairaText(-amountKobo) : '', amountKobo > 0n ? nairaText(amountKobo) : ''],
      nairaText(balanceKobo),
    ]);
  return [STATEMENT_COLUMNS, ...rows].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

function dayOf({ at }: Pick<StatementLine, 'at'>): string {
  return lagosTime(at).toISOString().slice(0, 10);
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
