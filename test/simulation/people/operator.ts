// Plays the operator's actions while transactions are open: the operator halts and resumes assets, pauses everything, freezes
// businesses, and replaces their keys. Everything is restored before the end.
import { NAIRA, tokenAsset } from '../../../src/domain/values/money.ts';
import { makeDice } from '../../support/dice.ts';
import type { Fault } from '../world/faults.ts';
import type { Setting } from '../world/setting.ts';
import { MODE } from './company.ts';

const BEGIN_MS = 70_000;
const LAST_MS = [3_000, 120_000] as const;

/** This call chooses at once all actions until `untilMs`. */
export function startOperator(setting: Setting, untilMs: number): void {
  const { agenda, still, tale, outside, model, company, faults } = setting;
  const meets = (fault: Fault) => faults.place('operator')([fault]) !== undefined;
  const dice = makeDice(`${setting.seed} operator`);
  const startMs = agenda.now();
  const forAWhile = (what: string, begin: () => void, end: () => void) => {
    const fromMs = startMs + dice.below(BEGIN_MS);
    const toMs = Math.min(untilMs, fromMs + dice.between(...LAST_MS));
    agenda.at(fromMs, () => {
      tale.line('operator', what);
      begin();
    });
    agenda.at(toMs, () => {
      tale.line('operator', `no longer: ${what}`);
      end();
    });
  };
  const assets = [NAIRA, ...outside.networks.map(({ name, asset }) => tokenAsset(asset.code, name))];
  const halted = meets('halt') ? (dice.percent(50) ? assets : [dice.pick(assets)]) : [];
  if (halted.length > 0)
    forAWhile(
      `halts ${halted.join(', ')}`,
      () => {
        for (const asset of halted) still.halts.set(asset, agenda.now());
      },
      () => still.halts.clear(),
    );
  if (meets('movements_paused'))
    forAWhile(
      'pauses movements',
      () => {
        still.pausedMs ??= agenda.now();
      },
      () => {
        if (!setting.restore.holds) still.pausedMs = null;
      },
    );
  if (meets('freeze')) {
    const businessId = dice.pick(company.keys).business.id;
    forAWhile(
      `freezes ${businessId}`,
      () =>
        model.core.commit([{ atMs: agenda.now(), freeze: { businessId, mode: MODE, reason: 'operator' } }]),
      () => lift(setting, businessId),
    );
  }
  if (meets('key_change')) changeKey(setting, dice.below(company.keys.length), dice.between(-10_000, 30_000));
}

export function lift({ model, still }: Setting, businessId: string): void {
  model.core.liftFreeze(businessId, MODE);
  still.freezes.delete(`${businessId} ${MODE}`);
}

/**
 * The new key is valid from now on, and the old key stays valid for `overlapMs`. If `overlapMs` is negative, there is a time
 * when neither key is valid.
 */
function changeKey({ agenda, keys, model, seed, tale }: Setting, index: number, overlapMs: number): void {
  const dice = makeDice(`${seed} keys`);
  const atMs = agenda.now() + dice.below(BEGIN_MS);
  const old = keys[index]!;
  const next = { ...old, id: `${old.id}b` };
  agenda.at(atMs + Math.max(0, -overlapMs), () => {
    tale.line('operator', `gives ${old.business.id} the key ${next.id}`);
    model.core.addKey({ id: next.id, businessId: next.business.id, mode: MODE });
    keys[index] = next;
  });
  agenda.at(atMs + Math.max(0, overlapMs), () => {
    tale.line('operator', `revokes ${old.id}`);
    model.core.revokeKey(old.id);
  });
}
