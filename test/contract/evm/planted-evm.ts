// Contains mistakes for the EVM adapter that break rules that it had, or could have had. The adapter believes that something is
// absent because of a response that names no block. Or it believes that a provider serves the right chain, or that a log is
// true. Cases with lagging servers, with a provider of another chain, or with a token that hides a fee catch each mistake.
import { type Bug, within } from '../../simulation/planted/patch.ts';

export interface PlantedEvmBug extends Bug {
  readonly cases: string;
}

const confirm = within('makeConfirm', { folder: 'evm' });
const readOutflows = within('readOutflows', { beside: 'makeOutflows', folder: 'evm' });

export const EVM_BUGS: readonly PlantedEvmBug[] = [
  {
    name: 'count-and-no-receipt-hold',
    what: 'A nonce count at finality and a missing receipt from another answer hold a payment, without the block that proves it.',
    cases: 'what landed is never dead while paths are behind each other (sticky)',
    patches: [
      within('readEnvelopeStanding').exchange(
        'await findNonceTaker(client, { from: treasury, nonce: sequence }, finalized)',
        "{ hash: '0x', block: 0n, blockHash: '0x' }",
      ),
    ],
  },
  {
    name: 'own-transaction-displaces',
    what: 'A transaction that used the nonce counts as another one even if it is our own payment.',
    cases: 'what landed is never dead while paths are behind each other (sticky)',
    patches: [
      within('readEnvelopeStanding').drop('&& !envelope.versions.some(({ hash }) => hash === by.hash)'),
    ],
  },
  {
    name: 'no-receipt-fails',
    what: 'A nonce that is used, without a receipt, is a failure: the order is signed again.',
    cases: 'what landed is never dead while paths are behind each other (sticky)',
    patches: [
      within('makeAsk', { folder: 'evm' }).after(
        "case 'unseen':",
        "return { kind: 'failed', reason: 'not there', cost: null };",
      ),
    ],
  },
  {
    name: 'count-makes-a-deposit-gone',
    what: 'A deposit is gone when its sender has sent more at finality and another answer has no receipt.',
    cases: 'a deposit that was seen is not gone',
    patches: [
      confirm.exchange(
        'await findNonceTaker(client, origin, finalized)',
        "(await client.nonce(origin.from, 'finalized')) > origin.nonce ? { hash: '0x' } : undefined",
      ),
    ],
  },
  {
    name: 'nothing-found-is-gone',
    what: 'A deposit without a receipt and without a transaction is gone.',
    cases: 'a deposit that was seen is not gone',
    patches: [
      confirm.after(
        'if (receipt === null) {',
        "if ((await client.transaction(hash)) === null && origin !== undefined) return 'gone';",
      ),
    ],
  },
  {
    name: 'empty-logs-believed',
    what: 'Deposits are read from the logs of any server, without a check that they are complete.',
    cases: 'a deposit that comes while paths are behind each other',
    patches: [within('scanTransfers').exchange('headers.length === 0', 'true')],
  },
  {
    name: 'outflows-without-a-check',
    what: 'The position of outflows moves past blocks that the server with the logs may not have seen.',
    cases: 'passes an outflow over',
    patches: [
      readOutflows.exchange(
        'completeLogs(client, some, filter, answered)',
        'answered.filter(({ block }) => some.some(({ number }) => number === block))',
      ),
      readOutflows.exchange(
        'completeLogs(client, some, incoming, came)',
        'came.filter(({ block }) => some.some(({ number }) => number === block))',
      ),
    ],
  },
  {
    name: 'outflows-of-one-provider',
    what: 'One provider is asked for outflows, and blocks that it cannot show completely are skipped.',
    cases: 'passes an outflow over',
    patches: [
      within('makeOutflows', { folder: 'evm' }).exchange(
        'await context.providers.every((client) => readOutflows(context, client, start))',
        '[await context.providers.one((client) => readOutflows(context, client, start))]',
      ),
      readOutflows.exchange('break;', '{ last = { block: finalized.number, hash: finalized.hash }; break; }'),
    ],
  },
  {
    name: 'chain-asked-at-the-start-alone',
    what: 'A provider that named the right chain once is believed from then on, whatever chain it serves.',
    cases: 'begins to serve another chain',
    patches: [within('makeEvmRequests').exchange('requireChain(ends.shift()!, chainId)', 'ends.shift()')],
  },
  {
    name: 'provider-away-at-the-start-is-believed',
    what: 'Only providers that answer at the start name their chain; the others are used without it.',
    cases: 'was away at the start',
    patches: [
      within('makeProviderConnection').drop('if (!chain.isProven()) await proveNow();'),
      within('makeEvmRequests').exchange('requireChain(ends.shift()!, chainId)', 'ends.shift()'),
    ],
  },
  {
    name: 'two-providers-name-their-chain',
    what: 'A provider of another chain does not stop the start.',
    cases: 'stops the start',
    patches: [
      within('requireChain', { beside: 'readStartFacts', folder: 'evm' }).exchange(
        'error instanceof WrongChainError',
        'false',
      ),
    ],
  },
  {
    name: 'log-believed-about-amounts',
    what: 'A deposit counts by the log of the token alone, whatever its address holds.',
    cases: 'keep a fee its events hide',
    patches: [
      confirm.exchange('await readMissingAmount(context, client, seen, receipt.block, finalized)', '0n'),
    ],
  },
  {
    name: 'sweep-of-less-is-done',
    what: 'A sweep that brought less than came to the address counts as done.',
    cases: 'keep a fee its events hide',
    patches: [within('readSweep').exchange('sweptMinor > 0n && sweptMinor < wantedMinor', 'false')],
  },
  {
    name: 'only-what-lies-there-counts',
    what: 'A deposit that was swept already never counts.',
    cases: 'a stranger swept',
    patches: [within('readMissingAmount').drop('- leftMinor')],
  },
];
