// Describes a proposal as a sentence. The command line and the pages show the same sentence.
import { type ChargeKind, formatBankAccount, type NairaFacts } from '../records/naira-move.ts';
import { formatNaira } from '../values/money.ts';
import type { RefundTarget, ReviewRequest } from './proposal.ts';

export function describeReviewRequest(request: ReviewRequest): string {
  const { subjectId } = request;
  switch (request.action) {
    case 'match':
      return `match ${subjectId} to ${request.detail.transactionId}`;
    case 'split':
      return `split ${subjectId} into ${request.detail.partsMinor.map(formatNaira).join(' + ')}`;
    case 'refund':
      return `refund ${subjectId}${request.detail.target === null ? '' : ` to ${formatRefundTarget(request.detail.target)}`}${describePublicReason(request.detail.publicReason)}`;
    case 'write_off':
      return `write off ${subjectId}`;
    case 'own_funds':
      return `book ${subjectId} as own funds`;
    case 'withdraw': {
      const { mode, network, address } = request.detail;
      return `withdraw from the ${mode} treasury on ${network} to ${address} as ${subjectId}`;
    }
    case 'fund': {
      const { mode, asset, amount } = request.detail;
      return `book ${amount} ${asset} that are in the ${mode} treasury but whose arrival was not seen, as ${subjectId}`;
    }
    case 'unfund': {
      const { mode, asset, amount, fundingId } = request.detail;
      return `remove ${amount} ${asset} of ${fundingId} from the books of the ${mode} treasury`;
    }
    case 'naira':
      return describeNairaMove(request.detail, subjectId);
    case 'resume':
      return `resume sends of ${request.detail.mode} ${request.detail.asset}`;
    case 'release':
      return `release ${subjectId}`;
    case 'loss':
      return `book ${subjectId} as a loss`;
    case 'dismiss':
      return `dismiss ${subjectId}`;
    case 'pay_again':
      return `pay ${subjectId} again to ${formatRefundTarget(request.detail.account)}`;
    case 'paid':
      return `record that the bank has paid ${subjectId}`;
    case 'unpaid':
      return `record that the bank has not paid ${subjectId} and never will`;
    case 'recovered': {
      const { into } = request.detail;
      const where = into === null ? 'the simulated bank' : `account ${into.accountNumber}, ${into.bankCode}`;
      return `book ${subjectId} as recovered into ${where}`;
    }
    case 'accepted':
      return `accept ${subjectId} as a loss`;
    case 'counted':
      return `count the late payout of ${subjectId} as the payout, or its report as a credit`;
    case 'explained':
      return `close ${subjectId} as explained`;
    case 'explained_all':
      return `close ${request.detail.cases} cases about the statement file ${subjectId} as explained`;
  }
}

const CHARGE_TEXTS: Readonly<Record<ChargeKind, string>> = {
  transfer_fee: 'a transfer fee',
  vat: 'value added tax',
  stamp_duty: 'stamp duty',
};

function describeNairaMove(
  { mode, kind, charge, account, to, day, reference }: NairaFacts,
  id: string,
): string {
  const [at, line] = [
    `${mode} account ${formatBankAccount(account)}`,
    `statement line ${reference} of ${day}, as ${id}`,
  ];
  switch (kind) {
    case 'put_in':
      return `book naira put into ${at}, ${line}`;
    case 'taken_out':
      return `book naira taken out of ${at}, ${line}`;
    case 'moved':
      return `book naira moved from ${at} to ${formatBankAccount(to!)}, ${line}`;
    case 'charge_seen':
      return `book ${CHARGE_TEXTS[charge!]} taken from ${at}, ${line}`;
    case 'charge_returned':
      return `book ${CHARGE_TEXTS[charge!]} given back to ${at}, ${line}`;
  }
}

/** The public reason, which the business will read. The second person also approves this text. */
function describePublicReason(publicReason: string | undefined): string {
  return publicReason === undefined ? '' : ` with the public reason ${publicReason}`;
}

export function formatRefundTarget(target: RefundTarget): string {
  return 'address' in target
    ? target.address
    : `${target.accountName ?? '-'}, ${target.accountNumber}, ${target.bankCode}`;
}
