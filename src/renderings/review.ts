// Renders the review of a record: candidates with their fields next to those of the record, the possible actions, and the
// postings of an action.
import { Type } from 'typebox';
import { checkableAssets } from '../app/ledger/check-ledger.ts';
import type { ComparedClaim } from '../app/operations/compare-candidates.ts';
import type { PossibleAction } from '../app/operations/list-possible-actions.ts';
import type { ReviewPreview } from '../app/operations/preview-review.ts';
import { CHART_OF_ACCOUNTS, parseLedgerKey } from '../domain/ledger/chart-of-accounts.ts';
import { describeMatchReason } from '../domain/matching/describe-match-reason.ts';
import type { BankCredit } from '../domain/records/credit.ts';
import type { DescribedNetworks } from '../ports/networks/network.ts';
import type { OperationsStore } from '../ports/operations/operations-store.ts';
import * as schemas from './parts/schemas.ts';
import { isoTime, nairaOrNull, nairaText, renderAmount } from './parts/values.ts';
import { renderTransactionSubject, type SubjectContext, transactionSubject } from './subjects.ts';

const ACTIONS = [
  ...(['match', 'split', 'refund', 'write_off', 'own_funds', 'release', 'loss', 'dismiss'] as const),
  ...(['pay_again', 'paid', 'unpaid', 'recovered', 'accepted', 'counted', 'explained', 'reject'] as const),
] satisfies readonly PossibleAction['action'][];

const text = Type.String();
const maybe = schemas.nullable;
const naira = Type.String({ description: 'In naira, for example "15000.00".' });

const posting = schemas.nameSchema(
  'PreviewPosting',
  Type.Object({
    ...{ account: text, name: text, meaning: text, side: schemas.oneOf(['debit', 'credit']) },
    ...{ amount: maybe(text), asset: text, network: maybe(text) },
  }),
);
export const preview = schemas.nameSchema(
  'Preview',
  Type.Object({
    ...{ what: text, mode: schemas.mode, amount: naira },
    effects: Type.Array(Type.Object({ text, record_id: maybe(text) })),
    entries: Type.Array(Type.Object({ event: text, record_id: text, postings: Type.Array(posting) })),
  }),
);
export const possibleAction = schemas.nameSchema(
  'PossibleAction',
  Type.Object({
    action: schemas.oneOf(ACTIONS),
    needs: maybe(schemas.oneOf(['transaction', 'parts', 'account', 'address', 'own_account'])),
    may_name: maybe(schemas.oneOf(['account'])),
    says_publicly: Type.Boolean(),
    people: Type.Union([Type.Literal(1), Type.Literal(2)]),
    amount: maybe(
      Type.String({
        description: 'The amount that it would post now, in naira; null: the preview shows it.',
      }),
    ),
    obstacle: maybe(text),
  }),
);
export const candidate = schemas.nameSchema(
  'Candidate',
  Type.Object({
    transaction: transactionSubject,
    score: maybe(Type.Number()),
    reasons: Type.Array(Type.Object({ code: text, text, speaks: schemas.oneOf(['for', 'weak', 'against']) })),
    obstacle: maybe(text),
    fields: Type.Array(
      Type.Object({
        ...{ field: text, label: text, credit: maybe(text), claim: maybe(text) },
        agrees: maybe(Type.Boolean()),
      }),
    ),
  }),
);

export function renderPreview(
  given: ReviewPreview,
  { decimals }: SubjectContext,
): schemas.JsonOf<typeof preview> {
  return {
    what: given.what,
    mode: given.mode,
    amount: nairaText(given.amountMinor),
    effects: given.effects.map(({ text, subjectId }) => ({ text, record_id: subjectId })),
    entries: given.entries.map(({ event, subjectId, postings }) => ({
      event,
      record_id: subjectId,
      postings: postings.map(({ account, amountMinor }) => {
        const { mode, asset, name } = parseLedgerKey(account);
        const debit = amountMinor > 0n;
        return {
          account,
          name,
          meaning: CHART_OF_ACCOUNTS[name].meaning,
          side: debit ? 'debit' : 'credit',
          ...renderAmount(debit ? amountMinor : -amountMinor, { mode, asset }, decimals),
        };
      }),
    })),
  };
}

export function renderAction(action: PossibleAction): schemas.JsonOf<typeof possibleAction> {
  const { needs, mayName, saysPublicly, people, amountMinor, obstacle } = action;
  return {
    ...{ action: action.action, needs, may_name: mayName, says_publicly: saysPublicly, people, obstacle },
    amount: nairaOrNull(amountMinor),
  };
}

/** If other credits pay a part of the same buy, the text also gives the sum of all parts. */
function describeCreditAmount({ amountMinor }: BankCredit, { parts }: ComparedClaim): string {
  if (parts.length === 0) return nairaText(amountMinor);
  const sumMinor = parts.reduce((sum, part) => sum + part.amountMinor, amountMinor);
  const others = parts.map(({ id }) => id).join(', ');
  return `${nairaText(amountMinor)} (with ${others}: ${nairaText(sumMinor)})`;
}

const AGREES_BY_REASON = { for: true, weak: null, against: false } as const;

export function renderCandidate(
  credit: BankCredit,
  claim: ComparedClaim,
  context: SubjectContext,
): schemas.JsonOf<typeof candidate> {
  const { transaction, score, reasons, obstacle } = claim;
  const words = reasons.map((code) => ({ code, ...describeMatchReason(code) }));
  const agrees = (field: string): boolean | null => {
    const found = words.find((each) => each.field === field);
    return found === undefined ? null : AGREES_BY_REASON[found.speaks];
  };
  const field = (name: string, label: string, ofCredit: string | null, ofClaim: string | null) => ({
    ...{ field: name, label, credit: ofCredit, claim: ofClaim, agrees: agrees(name) },
  });
  return {
    transaction: renderTransactionSubject(transaction, context),
    score,
    reasons: words.map(({ code, text, speaks }) => ({ code, text, speaks })),
    obstacle,
    fields: [
      field('amount', 'Amount', describeCreditAmount(credit, claim), nairaText(transaction.amountMinor)),
      field('name', 'Name', credit.payerName, transaction.accountName),
      field('account', 'Account', credit.payerAccount, transaction.accountNumber),
      field('bank', 'Bank', credit.payerBankName ?? credit.payerBankCode, transaction.bankName),
      field('reference', 'Narration and reference', credit.narration, transaction.reference),
      field('time', 'Time', isoTime(credit.valueAtMs), isoTime(transaction.createdAtMs)),
    ],
  };
}

/** What renderings need besides the record: the decimals of tokens, and the names of businesses. */
export interface ContextDeps {
  readonly networks: DescribedNetworks;
  readonly operations: Pick<OperationsStore, 'businessNames'>;
}

export async function readSubjectContext(
  { networks, operations }: ContextDeps,
  businessIds: readonly (string | null)[],
): Promise<SubjectContext> {
  const ids = [...new Set(businessIds.filter((id) => id !== null))];
  const businessNames = ids.length === 0 ? new Map() : await operations.businessNames(ids);
  return { decimals: checkableAssets(networks), businessNames };
}
