// Mistakes as the proof of a death once had them, or could have. Each is put into the adapter while it is loaded, and the
// contract must notice: otherwise the contract guards nothing.
import type { Bug } from '../../simulation/planted/plant.ts';

const LOOK = 'src/adapters/networks/stellar/pay/look.ts';

export const PLANTED_STELLAR: readonly Bug[] = [
  {
    name: 'height of another answer',
    what: 'The bound is compared with the height from another answer of the server, not with the ledger of the answer.',
    patches: [
      {
        file: LOOK,
        find: 'if (own === undefined || own.closedAtMs <= boundMs) return null;',
        replace: 'if (own === undefined) return null;',
      },
    ],
  },
  {
    name: 'two answers put together',
    what: 'The sequence of one answer counts as of the ledger of another.',
    patches: [
      {
        file: LOOK,
        find: 'await absenceOf(horizon, provider, history, ledger, versions)',
        replace: 'await absenceOf(horizon, provider, history, history.latest, versions)',
      },
    ],
  },
  {
    name: 'not found is dead',
    what: 'A 404 behind the bound counts, whatever the account says.',
    patches: [
      {
        file: LOOK,
        find: 'if (account.sequence < versions.sequence)\n',
        replace: 'if (account.sequence < versions.sequence || first === undefined)\n',
      },
    ],
  },
  {
    name: 'fixed margin',
    what: 'A place that is taken, and nothing found for ten seconds after the bound, is a death.',
    patches: [
      {
        file: LOOK,
        find: "return { kind: 'taken', expired: latestClosedAtMs > versions.boundMs };",
        replace:
          'const height = BigInt(ledger);\n' +
          '  if (latestClosedAtMs > versions.boundMs + 10_000)\n' +
          '    return absent(null, { provider, observedAt: height, impossibleFrom: height });\n' +
          "  return { kind: 'taken', expired: false };",
      },
    ],
  },
  {
    name: 'inner hash ignored',
    what: 'Our own transaction inside a fee bump of another account counts as another one at our place.',
    patches: [
      {
        file: LOOK,
        find: '|| (innerHash !== null && hashes.includes(innerHash))',
        replace: "|| (innerHash === null && hashes.includes('none'))",
      },
      { file: LOOK, find: 'innerHash: innerHashOf(record),', replace: 'innerHash: null,' },
    ],
  },
];
