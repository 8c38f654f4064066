// Contains mistakes that the proof of a dead payment once had, or could have. Each mistake is planted while the adapter is
// loaded, and the contract must notice it. Otherwise the contract protects nothing.
import { type Bug, within } from '../../simulation/planted/patch.ts';

const look = within('findBytes', { folder: 'stellar/pay' });

export const PLANTED_STELLAR: readonly Bug[] = [
  {
    name: 'height of another answer',
    what: 'The bound is compared with the height from another answer of the server, not with the ledger of the answer.',
    patches: [within('absenceOf').drop('|| own.closedAtMs <= boundMs')],
  },
  {
    name: 'two answers put together',
    what: 'The sequence number of one answer counts as of the ledger of another.',
    patches: [look.exchange('provider, history, ledger', 'provider, history, history.latest')],
  },
  {
    name: 'not found is dead',
    what: 'A 404 after the bound counts, whatever the account shows.',
    patches: [look.after('account.sequence < versions.sequence', '|| first === undefined')],
  },
  {
    name: 'fixed margin',
    what: 'A sequence number that is used, and no transaction found for ten seconds after the bound, is a death.',
    patches: [
      look.exchange('latestClosedAtMs > versions.boundMs', 'false'),
      look.before(
        "return { kind: 'taken'",
        `const height = BigInt(ledger);
  if (latestClosedAtMs > versions.boundMs + 10_000)
    return absent(null, { provider, observedAt: height, impossibleFrom: height });`,
      ),
    ],
  },
  {
    name: 'inner hash ignored',
    what: 'Our own transaction inside a fee bump of another account counts as another one with our sequence number.',
    patches: [
      within('isOwnVersion', { folder: 'stellar' }).exchange('innerHash !== null', 'false'),
      within('displacementOf').exchange('innerHashOf(record)', 'null'),
    ],
  },
];
