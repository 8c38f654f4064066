// Plays a bank's reports about a reversed payment: one report, a repeat under another id, or a repeat with another amount. Only
// the first report is about money. If the service queries the bank, the bank confirms this.
import { parseBankReference } from '../../../src/domain/records/movement.ts';
import type { NoticeLine } from '../../../src/ports/rails/rail-statement.ts';
import { makeDice } from '../../support/dice.ts';
import type { Setting } from '../world/setting.ts';

const RETURNS_FROM_MS = 20_000;
const AGAIN = 'again:';
const AGAIN_MS = 40_000;

/** Whether this is a repeated report. A repeated report is about the same money, even if the amount differs. */
export function isRepeated(sourceId: string): boolean {
  return sourceId.startsWith(AGAIN);
}

export function takeBack({ outside, tale }: Setting, sourceId: string): void {
  tale.line('bank', `takes back ${sourceId}`);
  outside.bank.reverse(sourceId);
}

export function returnPayouts(setting: Setting, transactionId: string): void {
  for (const { id, network, transactionId: about } of setting.model.tables.movements.values())
    if (network === null && about === transactionId) returnMovement(setting, id);
}

function returnMovement({ model, outside, tale }: Setting, id: string): void {
  tale.line('bank', `returns ${id}`);
  for (const { rail, reference } of model.tables.attempts.get(id) ?? [])
    outside.rails.find(({ name }) => name === rail)?.returnPayout(reference);
}

export function reportAgain(
  setting: Setting,
  kind: NoticeLine['kind'],
  isMeant: (about: string) => boolean,
): void {
  const { agenda, dice, faults, outside, tale } = setting;
  for (const { line, rail } of [...outside.happened.lines]) {
    if (line.kind !== kind || isRepeated(line.sourceId) || !isMeant(line.about)) continue;
    if (faults.place('bank')(['notice_repeated']) === undefined) continue;
    for (let no = dice.between(1, 2); no > 0; no--) {
      const amountMinor = dice.percent(70) ? line.amountMinor : line.amountMinor - 1n;
      const again: NoticeLine = { ...line, sourceId: `${AGAIN}${no}:${line.sourceId}`, amountMinor };
      agenda.at(agenda.now() + dice.below(AGAIN_MS), () => {
        tale.line('bank', `reports again that ${line.about} is gone: ${again.sourceId} of ${amountMinor}`);
        outside.rails
          .find(({ name }) => name === rail)!
          .report({ copy: 1, reportedAtMs: agenda.now(), line: again });
      });
    }
  }
}

export function startReturns(setting: Setting, untilMs: number): void {
  const { agenda, model, seed } = setting;
  const dice = makeDice(`${seed} returns`);
  if (!dice.percent(60)) return;
  for (let no = dice.between(2, 5); no > 0; no--) {
    const atMs = dice.between(agenda.now() + RETURNS_FROM_MS, untilMs);
    agenda.at(atMs, () => {
      const made = [...model.tables.movements.values()].filter(
        ({ kind, network, state }) => network === null && state === 'done' && kind === 'refund',
      );
      if (made.length === 0) return;
      // Payments without a transaction are rare, so the draw prefers them.
      const stray = made.filter(({ transactionId }) => transactionId === null);
      const { id } = dice.pick(stray.length > 0 && dice.percent(70) ? stray : made);
      returnMovement(setting, id);
      agenda.at(atMs + 1, () =>
        reportAgain(setting, 'payout_returned', (about) => parseBankReference(about) === id),
      );
    });
  }
}
