// Rates and distances as text, for the sentences that explain a decision.

export function rateText(valueE4: bigint): string {
  const size = valueE4 < 0n ? -valueE4 : valueE4;
  const decimals = (size % 10_000n).toString().padStart(4, '0').replace(/0+$/, '');
  const whole = (size / 10_000n).toString();
  return `${valueE4 < 0n ? '-' : ''}${whole}${decimals === '' ? '' : `.${decimals}`}`;
}

/**
 * The distance of a number from a base above zero, such as `2.35 %`. It is rounded up, so that a number beyond a limit never
 * looks equal to the limit.
 */
export function distanceText(valueE4: bigint, baseE4: bigint): string {
  const distance = valueE4 > baseE4 ? valueE4 - baseE4 : baseE4 - valueE4;
  const hundredths = (distance * 10_000n + baseE4 - 1n) / baseE4;
  return `${rateText(hundredths * 100n)} %`;
}

/**
 * The text ` It is about 10 times that: …` if a number seems to have a misplaced decimal point. Otherwise the text is empty.
 */
export function describeDecimalShift(valueE4: bigint, baseE4: bigint): string {
  for (const factor of [10n, 100n, 1_000n, 10_000n]) {
    if (isNearlyEqual(valueE4, baseE4 * factor))
      return ` It is about ${factor} times that: the decimal point may be misplaced.`;
    if (isNearlyEqual(valueE4 * factor, baseE4))
      return ` It is about 1/${factor} of that: the decimal point may be misplaced.`;
  }
  return '';
}

function isNearlyEqual(valueE4: bigint, targetE4: bigint): boolean {
  return valueE4 * 10n >= targetE4 * 9n && valueE4 * 10n <= targetE4 * 11n;
}

export function durationText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return `${Math.floor(ms / 1_000)} s`;
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 72 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}
