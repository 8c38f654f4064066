// What a case asks people about when nothing of it is in the books: the report that no credit fits, the difference to the bank, or the
// deposit that did not arrive whole.
import { Type } from 'typebox';
import { checkableAssets } from '../app/ledger/check-ledger.ts';
import { wordsOf } from '../domain/reconciliation/words.ts';
import type { CreditReport } from '../domain/records/credit.ts';
import type { Deposit } from '../domain/records/deposit.ts';
import { SHORT_NEXT } from '../domain/review/waiting-words.ts';
import type { DescribedNetworks } from '../ports/networks/network.ts';
import type { CaseRecord } from '../ports/operations/case-record.ts';
import type { ReconciliationDesk, ShownDifference } from '../ports/reconciliation.ts';
import type { ReviewDesk } from '../ports/review-desk.ts';
import * as schemas from './parts/schemas.ts';
import { amountIn, isoTime, nairaText } from './parts/values.ts';
import { DEPOSIT_STATES } from './subjects.ts';

const text = Type.String();
const maybe = schemas.nullable(text);

const report = schemas.named(
  'CaseReport',
  Type.Object({
    ...{ id: text, source: text, source_id: text, account_number: text, account_bank_code: maybe },
    ...{ payer_name: maybe, payer_account: maybe, payer_bank: maybe, narration: maybe, session_id: maybe },
    ...{ amount: text, balance: maybe, value_at: schemas.time, received_at: schemas.time },
  }),
);
const difference = schemas.named(
  'CaseDifference',
  Type.Object({
    ...{ account: text, day: text, what: text, next: maybe },
    amount: Type.String({ description: 'What the books have above the bank.' }),
    narration: schemas.nullable(Type.String({ description: 'Of the row of the statement.' })),
  }),
);
const deposit = schemas.named(
  'CaseDeposit',
  Type.Object({
    ...{
      id: text,
      state: schemas.oneOf(DEPOSIT_STATES),
      network: text,
      asset: text,
      tx_hash: text,
      address: text,
      sender: maybe,
    },
    said: schemas.nullable(
      Type.String({
        description: 'What came, by the token’s own records; null: its decimals are not known.',
      }),
    ),
    missing: Type.String({
      description: 'By how much its address holds too little, in naira, a part of a kobo as a whole one.',
    }),
    next: Type.String({ description: 'What people can do.' }),
  }),
);

export const questionShape = {
  report: schemas.nullable(report),
  difference: schemas.nullable(difference),
  deposit: schemas.nullable(deposit),
};

const NONE = { report: null, difference: null, deposit: null };

export interface QuestionDeps {
  readonly networks: DescribedNetworks;
  readonly reviewDesk: Pick<ReviewDesk, 'depositById' | 'reportById'>;
  readonly reconciliation: Pick<ReconciliationDesk, 'differences'>;
}

/** All null: a case about money that is in the books, or about a credit. */
export async function readQuestion(found: CaseRecord, deps: QuestionDeps) {
  if (found.about === null || found.kind === 'credit_not_found') return NONE;
  if (found.kind === 'deposit_short') {
    const short = await deps.reviewDesk.depositById(found.about);
    return { ...NONE, deposit: short === undefined ? null : renderDeposit(short, found, deps) };
  }
  if (found.kind !== 'reconciliation_difference') {
    const left = await deps.reviewDesk.reportById(found.about);
    return { ...NONE, report: left === undefined ? null : renderReport(left) };
  }
  const { mode, account, day } = found;
  const all =
    account === null || day === null ? [] : await deps.reconciliation.differences({ mode, account, day });
  const one = all.find(({ caseId }) => caseId === found.id);
  return { ...NONE, difference: one === undefined ? null : renderDifference(account!, one) };
}

function renderDeposit(
  given: Deposit,
  { amountMinor }: CaseRecord,
  { networks }: QuestionDeps,
): schemas.Shown<typeof deposit> {
  const { id, state, txHash, address, sender } = given;
  const { amount: said, asset } = amountIn(given.amountMinor, given, checkableAssets(networks));
  return {
    ...{ id, state, network: given.network, asset, tx_hash: txHash, address, sender, said },
    ...{ missing: nairaText(amountMinor), next: SHORT_NEXT },
  };
}

function renderReport(given: CreditReport): schemas.Shown<typeof report> {
  return {
    ...{ id: given.id, source: given.source, source_id: given.sourceId },
    ...{ account_number: given.accountNumber, account_bank_code: given.accountBankCode },
    ...{ payer_name: given.payerName, payer_account: given.payerAccount, payer_bank: given.payerBankName },
    ...{ narration: given.narration, session_id: given.sessionId, amount: nairaText(given.amountMinor) },
    balance: given.balanceMinor === null ? null : nairaText(given.balanceMinor),
    ...{ value_at: isoTime(given.valueAtMs), received_at: isoTime(given.receivedAtMs) },
  };
}

function renderDifference(account: string, given: ShownDifference): schemas.Shown<typeof difference> {
  const { day, offMinor, row } = given;
  return {
    ...{ account, day, ...wordsOf(given), amount: nairaText(offMinor), narration: row?.narration ?? null },
  };
}
