// Watches the treasuries: what they hold against the ledger, and whether everything that left them was signed here.
import { setUpRecords } from '../../adapters/postgres/networks/set-up-records.ts';
import { watchOutflows } from '../../workers/watch-outflows.ts';
import { watchTreasuries } from '../../workers/watch-treasuries.ts';
import type { Feature, ServiceParts } from '../feature.ts';

const TREASURIES_EVERY_MS = 15_000;
const OUTFLOWS_EVERY_MS = 10_000;

export function treasuryFeature(parts: ServiceParts): Feature {
  const { treasuryWatch, guard, guards, networks, clock, metrics: instruments, store, log, onError } = parts;
  const outflows = watchOutflows(
    { treasuryWatch, guard, guards, networks, clock, instruments, onError },
    OUTFLOWS_EVERY_MS,
  );
  const treasuries = watchTreasuries(
    {
      guard,
      guards,
      networks,
      store,
      setUps: setUpRecords(parts.database),
      clock,
      ledgerAudit: parts.ledgerAudit,
      instruments,
      onTrouble: (message, detail) => log.warn(detail, message),
      onError,
    },
    TREASURIES_EVERY_MS,
  );
  return { loops: [outflows, treasuries] };
}
