// A seed whose database is lost and restored from a backup. The outside world continues, and the store has an older state.
// Nothing moves until the operator has checked what the bank and the networks have paid since the backup. If the store knows
// all of these payments, movements resume; otherwise they stay paused until the end.
import { PAYING_FATES } from '../../../src/adapters/simulation/simulated-world.ts';
import { readMemory } from '../../../src/domain/movements/outcome-memory.ts';
import { type Attempt, parseBankReference } from '../../../src/domain/records/movement.ts';
import { makeDice } from '../../support/dice.ts';
import type { Machine } from './gate.ts';
import type { Setting } from './setting.ts';

/** This long after a restore, no request from before the restore can still arrive. */
export const SETTLED_MS = 100_000;
const BACKUP_MS = 80_000;

export function mayRestore(setting: Setting, machines: readonly Machine[], recount: () => void): void {
  const { agenda, faults, model, restore, seed, still, tale } = setting;
  const dice = makeDice(`${seed} restore`);
  if (faults.place('operator')(['restore']) === undefined) return;
  const backupMs = agenda.now() + dice.below(BACKUP_MS);
  const restoreMs = backupMs + dice.pick([dice.below(3_000), dice.below(60_000), dice.below(60_000)]);
  let putBack: () => void = () => undefined;
  agenda.at(backupMs, () => {
    tale.line('operator', 'makes a backup');
    putBack = model.checkpoint();
  });
  agenda.at(restoreMs, () => {
    tale.line('operator', 'restores the backup: movements are paused');
    for (const machine of machines) machine.fall('the restore');
    putBack();
    restore.epoch++;
    restore.atMs = agenda.now();
    restore.holds = true;
    still.pausedMs ??= agenda.now();
    // After the restore, the operator adds the API keys again that the backup does not contain.
    for (const { id, business, mode } of setting.keys)
      model.core.addKey({ id, businessId: business.id, mode });
    still.freezes.clear();
    for (const name of model.tables.freezes.values())
      still.freezes.set(`${name.businessId} ${name.mode}`, agenda.now());
    recount();
  });
  agenda.at(restoreMs + SETTLED_MS, () => {
    const unknown = paidUnknown(setting);
    tale.line('operator', unknown === null ? 'resumes movements' : `stays paused: ${unknown} was paid since`);
    if (unknown !== null) return;
    for (const { name, log } of setting.outside.rails)
      log.forgetOrders((reference) => {
        const known = knownAttempt(setting, {
          ...{ movementId: parseBankReference(reference), reference, rail: name },
        });
        return known && readMemory(known).notFound;
      });
    restore.holds = false;
    still.pausedMs = null;
  });
}

function paidUnknown(setting: Setting): string | null {
  const { transfers, payouts } = setting.outside.happened;
  for (const { orderId, hash, fate } of transfers)
    if (
      PAYING_FATES.includes(fate) &&
      knownAttempt(setting, { movementId: orderId, reference: hash, rail: null }) === undefined
    )
      return orderId;
  for (const { reference, fate, rail } of payouts)
    if (
      fate !== 'fails' &&
      knownAttempt(setting, { movementId: parseBankReference(reference), reference, rail }) === undefined
    )
      return reference;
  return null;
}

interface Order {
  readonly movementId: string;
  readonly reference: string;
  /** Null if the payment was made on a network. */
  readonly rail: string | null;
}

function knownAttempt({ model }: Setting, { movementId, reference, rail }: Order): Attempt | undefined {
  const attempts = model.tables.attempts.get(movementId) ?? [];
  return attempts.find((each) => each.reference === reference && each.rail === rail);
}
