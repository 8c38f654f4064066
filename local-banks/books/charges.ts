// What a bank charges the sender of a NIP transfer in addition to the amount: a fee that depends on the amount, value added tax
// on the fee, and stamp duty. Source: CBN Guide to Charges 2020. The sender has paid stamp duty since January 2026. Paystack
// and Monnify charge nothing here, as their responses show.
import type { LocalRailName } from './entries.ts';
import type { Kobo } from './money.ts';

const BANDS: readonly (readonly [upTo: Kobo, fee: Kobo])[] = [
  [500_000n, 1_000n],
  [5_000_000n, 2_500n],
];
const HIGHEST_FEE: Kobo = 5_000n;
const DUTY_FROM: Kobo = 1_000_000n;
const DUTY: Kobo = 5_000n;

export function chargeOf(rail: LocalRailName, amountKobo: Kobo): Kobo {
  if (rail !== 'providus') return 0n;
  const { feeKobo, taxKobo, dutyKobo } = chargeParts(amountKobo);
  return feeKobo + taxKobo + dutyKobo;
}

export function chargeParts(amountKobo: Kobo): Readonly<Record<'feeKobo' | 'taxKobo' | 'dutyKobo', Kobo>> {
  const feeKobo = BANDS.find(([upTo]) => amountKobo <= upTo)?.[1] ?? HIGHEST_FEE;
  // The tax is 7.5 %. Half a kobo is rounded up.
  const taxKobo = (feeKobo * 75n + 500n) / 1_000n;
  return { feeKobo, taxKobo, dutyKobo: amountKobo >= DUTY_FROM ? DUTY : 0n };
}
