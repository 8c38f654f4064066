// Renders the subject of a case that is not in the ledger: a report that fits no credit, a difference from the bank, or a
// deposit that did not arrive in full.
import { Type } from 'typebox';
import { checkableAssets } from '../app/ledger/check-ledger.ts';
import { describeDifference } from '../domain/reconciliation/describe-difference.ts';
import type { CreditReport } from '../domain/records/credit.ts';
import type { Deposit } from '../domain/records/deposit.ts';
import { SHORT_DEPOSIT_ADVICE } from '../domain/review/describe-wait-reason.ts';
import type { DescribedNetworks } from '../ports/networks/network.ts';
import type { CaseRecord } from '../ports/operations/operations-store.ts';
import type { DifferenceWithCase, ReconciliationStore } from '../ports/reconciliation.ts';
import type { ReviewStore } from '../ports/review-store.ts';
import * as schemas from './parts/schemas.ts';
import { isoTime, nairaText, renderAmount } from './parts/values.ts';
import { DEPOSIT_STATES } from './subjects.ts';

const text = Type.String();
const nullableText = schemas.nullable(text);

const report = schemas.nameSchema(
  'CaseReport',
  Type.Object({
    ...{ id: text, source: text, source_id: text, account_number: text, account_bank_code: nullableText },
    ...{
      payer_name: nullableText,
      payer_account: nullableText,
      payer_bank: nullableText,
      narration: nullableText,
      session_id: nullableText,
    },
    ...{ amount: text, balance: nullableText, value_at: schemas.time, received_at: schemas.time },
  }),
);
const difference = schemas.nameSchema(
  'CaseDifference',
  Type.Object({
    ...{ account: text, day: text, what: text, next: nullableText },
    amount: Type.String({ description: 'The amount by which the books exceed the bank.' }),
    narration: schemas.nullable(Type.String({ description: 'The narration of the statement row.' })),
  }),
);
const deposit = schemas.nameSchema(
  'CaseDeposit',
  Type.Object({
    ...{
      id: text,
      state: schemas.oneOf(DEPOSIT_STATES),
      network: text,
      asset: text,
      tx_hash: text,
      address: text,
      sender: nullableText,
    },
    said: schemas.nullable(
      Type.String({
        description:
          'The amount that arrived, according to the token’s own records; null: its decimals are not known.',
      }),
    ),
    missing: Type.String({
      description: 'The amount that is missing at the deposit address, in naira, rounded up to the kobo.',
    }),
    next: Type.String({ description: 'What people can do.' }),
  }),
);

export const questionShape = {
  report: schemas.nullable(report),
  difference: schemas.nullable(difference),
  deposit: schemas.nullable(deposit),
};

const NO_QUESTION = { report: null, difference: null, deposit: null };

export interface QuestionDeps {
  readonly networks: DescribedNetworks;
  readonly reviewDesk: Pick<ReviewStore, 'depositById' | 'reportById'>;
  readonly reconciliation: Pick<ReconciliationStore, 'differences'>;
}

/** All fields are null for a case about money in the ledger, or about a credit. */
export async function readQuestion(found: CaseRecord, deps: QuestionDeps) {
  if (found.about === null || found.kind === 'credit_not_found') return NO_QUESTION;
  if (found.kind === 'deposit_short') {
    const short = await deps.reviewDesk.depositById(found.about);
    return { ...NO_QUESTION, deposit: short === undefined ? null : renderCaseDeposit(short, found, deps) };
  }
  if (found.kind !== 'reconciliation_difference') {
    const left = await deps.reviewDesk.reportById(found.about);
    return { ...NO_QUESTION, report: left === undefined ? null : renderCaseReport(left) };
  }
  const { mode, account, day } = found;
  const all =
    account === null || day === null ? [] : await deps.reconciliation.differences({ mode, account, day });
  const one = all.find(({ caseId }) => caseId === found.id);
  return { ...NO_QUESTION, difference: one === undefined ? null : renderCaseDifference(account!, one) };
}

function renderCaseDeposit(
  given: Deposit,
  { amountMinor }: CaseRecord,
  { networks }: QuestionDeps,
): schemas.JsonOf<typeof deposit> {
  const { id, state, txHash, address, sender } = given;
  const { amount: said, asset } = renderAmount(given.amountMinor, given, checkableAssets(networks));
  return {
    ...{ id, state, network: given.network, asset, tx_hash: txHash, address, sender, said },
    ...{ missing: nairaText(amountMinor), next: SHORT_DEPOSIT_ADVICE },
  };
}

function renderCaseReport(given: CreditReport): schemas.JsonOf<typeof report> {
  return {
    ...{ id: given.id, source: given.source, source_id: given.sourceId },
    ...{ account_number: given.accountNumber, account_bank_code: given.accountBankCode },
    ...{ payer_name: given.payerName, payer_account: given.payerAccount, payer_bank: given.payerBankName },
    ...{ narration: given.narration, session_id: given.sessionId, amount: nairaText(given.amountMinor) },
    balance: given.balanceMinor === null ? null : nairaText(given.balanceMinor),
    ...{ value_at: isoTime(given.valueAtMs), received_at: isoTime(given.receivedAtMs) },
  };
}

function renderCaseDifference(account: string, given: DifferenceWithCase): schemas.JsonOf<typeof difference> {
  const { day, offMinor, row } = given;
  return {
    ...{
      account,
      day,
      ...describeDifference(given),
      amount: nairaText(offMinor),
      narration: row?.narration ?? null,
    },
  };
}
