// Settlement notices in the shape of Providus's public documentation, and variants that its clients have received: other types,
// blanks, the word null. Each has its expected subject.
import type { Recorded } from './recorded.ts';

const notice = (more: object = {}) => ({
  ...{
    sessionId: '000001261116121530123456789012',
    accountNumber: '9977581536',
    tranRemarks: 'FROM ADA TO US',
  },
  ...{ transactionAmount: '400', settledAmount: '398.5', feeAmount: '1.5', vatAmount: '0', currency: 'NGN' },
  ...{ initiationTranRef: '', settlementId: '202611161215300000012', sourceAccountNumber: '2093566866' },
  ...{ sourceAccountName: 'ADA OBI', sourceBankName: 'UNITED BANK FOR AFRICA', channelId: '1' },
  tranDateTime: '2026-11-16 12:15:30.000',
  ...more,
});
const ABOUT = 'credit 202611161215300000012';

export const PROVIDUS_EVENTS: readonly Recorded[] = [
  [notice(), ABOUT],
  [notice({ sourceAccountNumber: 'null', sourceAccountName: 'null', sourceBankName: 'null' }), ABOUT],
  [notice({ sourceAccountNumber: '', sourceAccountName: '', sourceBankName: '' }), ABOUT],
  [
    notice({ transactionAmount: 400, vatAmount: 0, stamp_duty_flg: 0, post_flg: 1, settlementDateTime: '' }),
    ABOUT,
  ],
  [notice({ sessionId: '' }), ABOUT],
  [notice({ tranRemarks: 'Ọláṣẹ́hìndé 😀 \u0000' }), ABOUT],
  // A number with more digits than a double can store keeps its text.
  [JSON.stringify(notice()).replace('"202611161215300000012"', '202611161215300000012'), ABOUT],
  [notice({ settlementId: '' }), 'other'],
  [notice({ settlementId: null }), 'other'],
  [notice({ settlementId: '1&settlement_id=2' }), 'other'],
  [{ Message: 'ping' }, 'other'],
  ['', 'other'],
];
