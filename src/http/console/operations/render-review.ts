// The review of a record as JSON: candidates with the fields side by side, the possible actions, proposals, and what an action
// would post to the ledger.
import type { ComparedClaim } from '../../../app/operations/compare-candidates.ts';
import type { PossibleAction } from '../../../app/operations/possible-actions.ts';
import type { Preview } from '../../../app/operations/preview-review.ts';
import type { ShownProposal } from '../../../app/operations/read-proposal.ts';
import { CHART, partsOf } from '../../../domain/ledger/ledger.ts';
import { reasonWords } from '../../../domain/matching/reason-words.ts';
import type { BankCredit } from '../../../domain/records/credit.ts';
import { isoTime, renderRecord } from '../render.ts';
import { amountIn, nairaOrNull, nairaText } from './amounts.ts';
import { renderTransactionSubject, type SubjectContext } from './render-subject.ts';

export function renderPreview(preview: Preview, { decimals }: SubjectContext) {
  return {
    what: preview.what,
    mode: preview.mode,
    amount: nairaText(preview.amountMinor),
    effects: preview.effects.map(({ text, subjectId }) => ({ text, record_id: subjectId })),
    entries: preview.entries.map(({ event, subjectId, postings }) => ({
      event,
      record_id: subjectId,
      postings: postings.map(({ account, amountMinor }) => {
        const { mode, asset, name } = partsOf(account);
        const debit = amountMinor > 0n;
        return {
          account,
          name,
          meaning: CHART[name].meaning,
          side: debit ? 'debit' : 'credit',
          ...amountIn(debit ? amountMinor : -amountMinor, { mode, asset }, decimals),
        };
      }),
    })),
  };
}

export function renderShownProposal(shown: ShownProposal, context: SubjectContext) {
  const { kind, proposal } = shown.found;
  const { decision } = proposal;
  return {
    ...(renderRecord({ kind, ...proposal }) as object),
    ...(kind === 'review' && {
      amount: nairaText(proposal.amountMinor),
      subject_id: proposal.request.subjectId,
    }),
    what: shown.what,
    before: kind === 'setting' ? proposal.before : null,
    proposed_by_name: shown.proposedByName,
    decided_by_name: shown.decidedByName,
    state: stateOf(decision),
    obstacle: shown.obstacle,
    preview: shown.preview && renderPreview(shown.preview, context),
  };
}

function stateOf(decision: { readonly approved: boolean; readonly withdrawn: boolean } | null): string {
  if (decision === null) return 'open';
  if (decision.approved) return 'approved';
  return decision.withdrawn ? 'withdrawn' : 'declined';
}

export function renderAction(action: PossibleAction) {
  const { needs, mayName, saysPublicly, people, amountMinor, obstacle } = action;
  return {
    ...{ action: action.action, needs, may_name: mayName, says_publicly: saysPublicly, people, obstacle },
    amount: nairaOrNull(amountMinor),
  };
}

/** With the sum where other credits pay a part of the same buy. */
function amountText({ amountMinor }: BankCredit, { parts }: ComparedClaim): string {
  if (parts.length === 0) return nairaText(amountMinor);
  const sumMinor = parts.reduce((sum, part) => sum + part.amountMinor, amountMinor);
  const others = parts.map(({ id }) => id).join(', ');
  return `${nairaText(amountMinor)} (with ${others}: ${nairaText(sumMinor)})`;
}

const SPEAKS = { for: true, weak: null, against: false } as const;

/** The fields of the two in the order in which a person compares them. */
export function renderCandidate(credit: BankCredit, claim: ComparedClaim, context: SubjectContext) {
  const { transaction, score, reasons, obstacle } = claim;
  const words = reasons.map((code) => ({ code, ...reasonWords(code) }));
  const agrees = (field: string): boolean | null => {
    const found = words.find((each) => each.field === field);
    return found === undefined ? null : SPEAKS[found.speaks];
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
      field('amount', 'Amount', amountText(credit, claim), nairaText(transaction.amountMinor)),
      field('name', 'Name', credit.payerName, transaction.accountName),
      field('account', 'Account', credit.payerAccount, transaction.accountNumber),
      field('bank', 'Bank', credit.payerBankName ?? credit.payerBankCode, transaction.bankName),
      field('reference', 'Narration and reference', credit.narration, transaction.reference),
      field('time', 'Time', isoTime(credit.valueAtMs), isoTime(transaction.createdAtMs)),
    ],
  };
}
