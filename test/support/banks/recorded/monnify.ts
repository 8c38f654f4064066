// Bodies of Monnify's webhooks in the shapes of its public documentation, with additional fields; one of them is not valid JSON,
// as in the documentation. Each has its expected subject.
import type { Recorded } from './recorded.ts';

const collection = (more: object = {}) => ({
  product: { reference: '1636106097661', type: 'RESERVED_ACCOUNT' },
  ...{
    transactionReference: 'MNFY|04|20261116125413|000170',
    paymentReference: 'MNFY|04|20261116125413|000170',
  },
  ...{ paidOn: '2026-11-16 12:54:14.0', paymentDescription: 'Adm', metaData: {}, amountPaid: 3_000 },
  paymentSourceInformation: [
    { bankCode: '', amountPaid: 3_000, accountName: 'Ada', accountNumber: '******4872' },
  ],
  destinationAccountInformation: { bankCode: '232', bankName: 'Sterling bank', accountNumber: '6000140770' },
  ...{ totalPayable: 3_000, cardDetails: {}, paymentMethod: 'ACCOUNT_TRANSFER', currency: 'NGN' },
  ...{ settlementAmount: '2990.00', paymentStatus: 'PAID', customer: { name: 'Ada', email: 'a@b.example' } },
  ...more,
});
const disbursement = (status: string) => ({
  ...{
    amount: 10,
    transactionReference: 'MFDS|20261116143855|074178',
    fee: 8,
    status,
    reference: 'mov-01j0',
  },
  ...{ transactionDescription: 'Approved or completed successfully', destinationAccountNumber: '0068687503' },
  ...{
    sessionId: '090405210317143857092034',
    createdOn: '17/03/2021 2:38:56 PM',
    destinationBankCode: '044',
  },
});
const refund = {
  ...{ merchantReason: 'defective goods', transactionReference: 'MNFY|73|20261116154650|000167' },
  ...{
    completedOn: '27/07/2021 3:00:00 PM',
    refundStatus: 'COMPLETED',
    refundReference: 'ref001',
    refundAmount: 100,
  },
};
const ABOUT = 'credit MNFY|04|20261116125413|000170';

export const MONNIFY_EVENTS: readonly Recorded[] = [
  [{ eventType: 'SUCCESSFUL_TRANSACTION', eventData: collection() }, ABOUT],
  [
    {
      eventType: 'SUCCESSFUL_TRANSACTION',
      eventData: collection({
        paymentSourceInformation: {},
        destinationAccountInformation: {},
        paymentMethod: 'CASH',
      }),
    },
    ABOUT,
  ],
  [{ eventType: 'SUCCESSFUL_TRANSACTION', eventData: collection({ amountPaid: '3000.00' }) }, ABOUT],
  [{ eventType: 'SUCCESSFUL_TRANSACTION', eventData: collection({ transactionReference: '../x' }) }, 'other'],
  [{ eventType: 'SUCCESSFUL_TRANSACTION' }, 'other'],
  [{ eventType: 'SUCCESSFUL_DISBURSEMENT', eventData: disbursement('SUCCESS') }, 'payout mov-01j0 paid'],
  [{ eventType: 'FAILED_DISBURSEMENT', eventData: disbursement('FAILED') }, 'payout mov-01j0 not paid'],
  [{ eventType: 'REVERSED_DISBURSEMENT', eventData: disbursement('REVERSED') }, 'payout mov-01j0 not paid'],
  [{ eventType: 'SUCCESSFUL_REFUND', eventData: refund }, 'credit MNFY|73|20261116154650|000167'],
  [{ eventType: 'FAILED_REFUND', eventData: refund }, 'other'],
  [{ eventType: 'SETTLEMENT', eventData: { amount: '1199.00', transactions: [collection()] } }, 'other'],
  [{ eventType: 'REJECTED_PAYMENT', eventData: { transactionReference: 'MNFY|85|1', amount: 100 } }, 'other'],
  [{ eventType: 'MANDATE_UPDATE', eventData: { mandateCode: 'MTDD|1' } }, 'other'],
  ['{"eventType":"REJECTED_PAYMENT","eventData":{"metaData":"{"name":"Ada"}"}}', 'other'],
];
