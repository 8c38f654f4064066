// What the simulated bank takes for a payout: the transfer fee by amount, VAT on the fee, and stamp duty, which the
// sender pays.

const FEE_STEPS: readonly { readonly upToMinor: bigint; readonly feeMinor: bigint }[] = [
  { upToMinor: 5_000_00n, feeMinor: 10_00n },
  { upToMinor: 50_000_00n, feeMinor: 25_00n },
];
const HIGHEST_FEE_MINOR = 50_00n;
/** 7.5%. */
const VAT_PER_MILLE = 75n;
const STAMP_DUTY_MINOR = 50_00n;
const STAMP_DUTY_FROM_MINOR = 10_000_00n;

export function payoutChargeMinor(amountMinor: bigint): bigint {
  const step = FEE_STEPS.find(({ upToMinor }) => amountMinor <= upToMinor);
  const feeMinor = step?.feeMinor ?? HIGHEST_FEE_MINOR;
  const dutyMinor = amountMinor >= STAMP_DUTY_FROM_MINOR ? STAMP_DUTY_MINOR : 0n;
  return feeMinor + perMilleHalfUp(feeMinor, VAT_PER_MILLE) + dutyMinor;
}

function perMilleHalfUp(amountMinor: bigint, perMille: bigint): bigint {
  return (amountMinor * perMille + 500n) / 1_000n;
}
