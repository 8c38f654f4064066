// Tests which proposals count as the same proposal sent twice: only proposals with the same value in every field. A payment to
// another account or another bank is a different payment, and the second person must see it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CORRECTED, openReturnedStage } from '../../../test/support/stages/returned.ts';
import type { ReviewRequest } from '../../domain/review/proposal.ts';
import { detailText } from './propose-review.ts';

const { propose, returnedSell } = await openReturnedStage();

test('pay_again to another bank, account or name is another proposal; an equal request creates no second proposal', async () => {
  const { caseId } = await returnedSell();
  const idOf = async (account: object) => {
    const request = { action: 'pay_again', subjectId: caseId, detail: { account } };
    const proposed = await propose(request as never);
    return proposed.ok ? proposed.value.id : assert.fail(proposed.error.message);
  };
  const first = await idOf(CORRECTED);
  assert.equal(await idOf(CORRECTED), first);
  const others = [
    await idOf({ ...CORRECTED, bankCode: 'access-bank' }),
    await idOf({ ...CORRECTED, accountNumber: '0222222220' }),
    await idOf({ ...CORRECTED, accountName: 'Adaeze Nneka Okafor' }),
  ];
  assert.equal(new Set([first, ...others]).size, 4);
});

const DIFFERING: Readonly<Record<string, readonly object[]>> = {
  match: [{ transactionId: 'txn_1' }, { transactionId: 'txn_2' }],
  split: [{ partsMinor: [1n, 2n] }, { partsMinor: [2n, 1n] }, { partsMinor: [3n] }],
  refund: [
    { publicReason: 'declined', target: null },
    { publicReason: 'declined', target: { ...CORRECTED } },
    { publicReason: 'declined', target: { ...CORRECTED, bankCode: 'access-bank' } },
    {
      publicReason: 'declined',
      target: { ...CORRECTED, bankCode: 'access-bank', accountNumber: '0222222220' },
    },
    { publicReason: 'declined', target: { address: 'GA1' } },
    { publicReason: 'declined', target: { address: 'GA2' } },
    { publicReason: 'other', target: { address: 'GA2' } },
  ],
  recovered: [
    { into: null },
    { into: { bankCode: 'access-bank', accountNumber: '0222222220' } },
    { into: { bankCode: 'zenith-bank', accountNumber: '0222222220' } },
    { into: { bankCode: 'zenith-bank', accountNumber: '0222222221' } },
  ],
  withdraw: [
    { network: 'Stellar', address: 'GA1', nairaMinor: 1n },
    { network: 'Solana', address: 'GA1', nairaMinor: 1n },
    { network: 'Solana', address: 'GA2', nairaMinor: 1n },
    { network: 'Solana', address: 'GA2', nairaMinor: 2n },
  ],
  resume: [
    { mode: 'test', asset: 'NGN' },
    { mode: 'live', asset: 'NGN' },
    { mode: 'live', asset: 'NGNC@Stellar' },
  ],
};

test('proposals that differ in any field are different', () => {
  for (const [action, details] of Object.entries(DIFFERING)) {
    const texts = details.map((detail) =>
      detailText({ action, subjectId: 'x', detail } as unknown as ReviewRequest),
    );
    assert.equal(new Set(texts).size, details.length, action);
  }
});
