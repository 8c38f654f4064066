// Plays a second source that reports on the vendors' accounts in addition to the bank: another service of the same bank, or a
// statement file. It reports the same data, less data, different data, or transfers that no other source knows. It never
// credits an account on its own.
import { accountDetail } from '../../../src/domain/ledger/chart-of-accounts.ts';
import type { CreditLine } from '../../../src/ports/rails/rail-statement.ts';
import type { SandboxCredit } from '../../../src/ports/sandbox.ts';
import { type Dice, makeDice } from '../../support/dice.ts';
import { FICKLE } from '../world/rails/options.ts';
import type { Setting } from '../world/setting.ts';
import { MODE } from './company.ts';

/** How the content of a report differs from the real transfer. The numbers are weights. */
const WAYS = {
  /** The report has all data of the bank's report, except the session id. */
  same: 20,
  /** The report has only the last digits of the payer's account, and no name. */
  masked: 15,
  /** The report has only the account, the amount and the day. */
  bare: 10,
  by_session: 15,
  /** The source reports the transfer under two ids, with one session id. */
  twice_by_session: 10,
  /** The source reports the transfer under two ids, and nothing shows that both are the same transfer. */
  twice: 5,
  other_amount: 10,
  other_payer: 10,
} as const;
type Way = keyof typeof WAYS;

/** Only this source reports these transfers: either the bank's feed lost the transfer, or the transfer never existed. */
type Alone = 'lost' | 'phantom';

const PREFIX = 'elsewhere ';
const AGAIN_PREFIX = 'again by the bank ';
const LATEST_MS = 20_000;

/**
 * Describes the transfer that a line reports, and how the content of the line differs from it. It is undefined for the bank's
 * own first report.
 */
export interface Elsewhere {
  readonly way: Way | Alone;
  readonly transfer: string;
}

export function elsewhereOf(sourceId: string): Elsewhere | undefined {
  if (!sourceId.startsWith(PREFIX)) return undefined;
  const [way, transfer] = sourceId.slice(PREFIX.length).split(' ') as [Way | Alone, string];
  return { way, transfer };
}

export function transferOf(sourceId: string): string {
  if (sourceId.startsWith(AGAIN_PREFIX)) return sourceId.slice(AGAIN_PREFIX.length);
  return elsewhereOf(sourceId)?.transfer ?? sourceId;
}

/**
 * Some seeds have a second source. The bank is the crediting source of every vendor's account. The second source also reports
 * transfers that the bank does not report.
 */
export function startSecondSource(setting: Setting, spanMs: number): void {
  const { agenda, company, model, secondSource, seed, tale } = setting;
  secondSource.isOn = makeDice(`${seed} second source`).percent(40);
  if (!secondSource.isOn) return;
  for (const { bankCode, number } of company.vendors)
    model.core.setSource(MODE, accountDetail(bankCode, number), FICKLE);
  const dice = makeDice(`${seed} reported by one alone`);
  for (let no = dice.below(4); no > 0; no--) {
    const alone: Alone = dice.percent(50) ? 'lost' : 'phantom';
    const credit: SandboxCredit = {
      ...{ accountNumber: dice.pick(company.vendors).number, accountBankCode: null },
      // No errand has such an amount, so this transfer cannot be confused with another transfer.
      amountMinor: BigInt(dice.between(1_000, 90_000)) * 100n + 37n,
      ...{ payerAccount: dice.percent(50) ? '0888888888' : null, payerBankName: null },
      ...{ payerName: dice.percent(50) ? 'ANOTHER STRANGER' : null, narration: null },
      sessionId: dice.percent(50) ? `alone-${no}` : null,
    };
    agenda.at(agenda.now() + dice.below(spanMs), () => {
      tale.line('second source', `${alone} ${no} of ${credit.amountMinor}`);
      put(setting, `${PREFIX}${alone} ${alone}-${no}`, credit, 0);
    });
  }
}

/** Returns the payment as the bank reports it. For some payments the report has the session id. */
export function withSession(setting: Setting, id: string, credit: SandboxCredit): SandboxCredit {
  const { secondSource, seed } = setting;
  if (!secondSource.isOn || !makeDice(`${seed} ${id} has a session`).percent(60)) return credit;
  return { ...credit, sessionId: `session of ${id}` };
}

/**
 * Sometimes the bank itself reports a session id again under another id. Sometimes the second source also reports the payment.
 */
export function reportElsewhere(setting: Setting, id: string, credit: SandboxCredit): void {
  const { seed, outside, secondSource, tale, agenda } = setting;
  if (!secondSource.isOn) return;
  const dice = makeDice(`${seed} ${id} elsewhere`);
  if (credit.sessionId !== null && dice.percent(15))
    agenda.at(agenda.now() + dice.below(LATEST_MS), () => {
      tale.line('bank', `reports the session of ${id} again`);
      outside.bank.report({
        copy: 1,
        reportedAtMs: agenda.now(),
        line: lineOf(`${AGAIN_PREFIX}${id}`, credit, agenda.now()),
      });
    });
  if (!dice.percent(50)) return;
  const way = dice.weighted(WAYS);
  const needsSession = way !== 'same' && way !== 'masked' && way !== 'bare' && way !== 'twice';
  const said = needsSession && credit.sessionId === null ? 'same' : way;
  tale.line('second source', `reports ${id}: ${said}`);
  const names = said.startsWith('twice') ? [`${id}`, `${id} 2`] : [id];
  for (const name of names)
    put(setting, `${PREFIX}${said} ${name}`, saidBy(said, credit, dice), dice.below(LATEST_MS));
}

function saidBy(way: Way, credit: SandboxCredit, dice: Dice): SandboxCredit {
  const { payerAccount, amountMinor } = credit;
  const silent = { ...credit, sessionId: null, narration: null };
  switch (way) {
    case 'same':
    case 'twice':
      return { ...credit, sessionId: null };
    case 'masked': {
      const shown = payerAccount && `******${payerAccount.slice(-4)}`;
      return { ...silent, payerAccount: shown, payerName: null, payerBankName: null };
    }
    case 'bare':
      return { ...silent, payerAccount: null, payerName: null, payerBankName: null };
    case 'by_session':
    case 'twice_by_session':
      return credit;
    case 'other_amount':
      return { ...credit, amountMinor: amountMinor + BigInt(dice.between(1, 5_000)) };
    case 'other_payer':
      return { ...credit, payerAccount: '0777777777', payerName: 'QUITE ANOTHER' };
  }
}

function put({ agenda, outside }: Setting, sourceId: string, credit: SandboxCredit, afterMs: number): void {
  const rail = outside.rails.find(({ name }) => name !== FICKLE)!;
  const valueAtMs = agenda.now();
  agenda.at(valueAtMs + afterMs, () =>
    rail.report({ copy: 1, reportedAtMs: agenda.now(), line: lineOf(sourceId, credit, valueAtMs) }),
  );
}

function lineOf(sourceId: string, credit: SandboxCredit, valueAtMs: number): CreditLine {
  return { kind: 'credit', sourceId, ...credit, valueAtMs, raw: {} };
}
