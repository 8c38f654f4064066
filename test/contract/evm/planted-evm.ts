// Mistakes in the EVM adapter in the style of the rules it had, or could have had: an absence believed from an answer that
// names no block. Each is caught by cases on servers that are behind each other.
import type { Bug } from '../../simulation/planted/plant.ts';

export interface PlantedEvmBug extends Bug {
  /** Part of the titles of the cases that are played. */
  readonly cases: string;
}

const EVM = 'src/adapters/networks/evm';

export const EVM_BUGS: readonly PlantedEvmBug[] = [
  {
    name: 'count-and-no-receipt-hold',
    what: 'A count at finality and a missing receipt of another answer hold a payment, without the block that shows it.',
    cases: 'what landed is never dead while paths are behind each other (sticky)',
    patches: [
      {
        file: `${EVM}/rpc/proof.ts`,
        find: 'const by = await takerOf(client, { from: treasury, nonce: sequence }, finalized);',
        replace: 'const by = { hash: "0x", block: 0n, blockHash: "0x" };',
      },
    ],
  },
  {
    name: 'own-transaction-displaces',
    what: 'What has the place counts as something else also where it is our own payment.',
    cases: 'what landed is never dead while paths are behind each other (sticky)',
    patches: [
      {
        file: `${EVM}/rpc/proof.ts`,
        find: 'const isShown = by !== undefined && !envelope.versions.some(({ hash }) => hash === by.hash);',
        replace: 'const isShown = by !== undefined;',
      },
    ],
  },
  {
    name: 'no-receipt-fails',
    what: 'A place that is taken without a receipt is a failure: the order is signed anew.',
    cases: 'what landed is never dead while paths are behind each other (sticky)',
    patches: [
      {
        file: `${EVM}/pay/ask.ts`,
        find: "return { kind: 'held', reason: displacedBy(standing.by) };\n      case 'unseen':\n",
        replace:
          "return { kind: 'held', reason: displacedBy(standing.by) };\n      case 'unseen':\n        return { kind: 'failed', reason: 'not there', cost: null };\n",
      },
    ],
  },
  {
    name: 'count-makes-a-deposit-gone',
    what: 'A deposit is gone when its sender has sent more at finality and another answer has no receipt.',
    cases: 'a deposit that was seen is not gone',
    patches: [
      {
        file: `${EVM}/observe/confirm.ts`,
        find: 'const taker = await takerOf(client, origin, finalized);',
        replace:
          "const taker = (await client.nonce(origin.from, 'finalized')) > origin.nonce ? { hash: '0x' } : undefined;",
      },
    ],
  },
  {
    name: 'nothing-found-is-gone',
    what: 'A deposit without a receipt and without a transaction is gone.',
    cases: 'a deposit that was seen is not gone',
    patches: [
      {
        file: `${EVM}/observe/confirm.ts`,
        find: 'if (receipt === null) {',
        replace:
          "if (receipt === null) {\n      if ((await client.transaction(hash)) === null && origin !== undefined) return 'gone';",
      },
    ],
  },
  {
    name: 'empty-logs-believed',
    what: 'Deposits are read from an answer about logs, whoever gave it.',
    cases: 'a deposit that comes while paths are behind each other',
    patches: [
      {
        file: `${EVM}/observe/scan.ts`,
        find: 'headers.length === 0 ? answered : await completeLogs(client, headers, filter, answered)',
        replace: 'answered',
      },
    ],
  },
  {
    name: 'outflows-without-a-check',
    what: 'The position of outflows moves over blocks that the server with the logs may not have seen.',
    cases: 'passes an outflow over',
    patches: [
      {
        file: `${EVM}/observe/outflows.ts`,
        find: 'await completeLogs(client, some, filter, answered).catch(notProven)',
        replace: 'answered.filter(({ block }) => some.some(({ number }) => number === block))',
      },
    ],
  },
  {
    name: 'outflows-of-one-provider',
    what: 'One provider is asked for outflows, and what it cannot show completely is passed over.',
    cases: 'passes an outflow over',
    patches: [
      {
        file: `${EVM}/observe/outflows.ts`,
        find: 'const answers = await context.providers.every((client) => readOn(context, client, start));',
        replace: 'const answers = [await context.providers.one((client) => readOn(context, client, start))];',
      },
      {
        file: `${EVM}/observe/outflows.ts`,
        find: 'if (complete === undefined) break;',
        replace:
          'if (complete === undefined) { last = { block: finalized.number, hash: finalized.hash }; break; }',
      },
    ],
  },
];
