// Numbers of the banking system: account numbers with their check digit, and session ids of NIP transfers.
const WEIGHTS = [3, 7, 3] as const;

export function makeNuban(cbn: string, serial: string): string {
  const code = cbn.length === 3 ? cbn : `9${cbn.padStart(5, '0')}`;
  const digits = [...code, ...serial.padStart(9, '0')].map(Number);
  const sum = digits.reduce((total, digit, index) => total + digit * WEIGHTS[index % 3]!, 0);
  return `${serial.padStart(9, '0')}${(10 - (sum % 10)) % 10}`;
}

const LAGOS_AHEAD_MS = 3_600_000;

/** The same moment as Lagos time. Read the result with the UTC getters. Lagos is UTC+1 all year. */
export function lagosTime(at: number): Date {
  return new Date(at + LAGOS_AHEAD_MS);
}

/** The id consists of the code of the sending bank, the Lagos time as yyMMddHHmmss, and twelve digits that make it unique. */
export function makeSessionId(nip: string, at: number, serial: number): string {
  const time = lagosTime(at).toISOString().replaceAll(/\D/g, '').slice(2, 14);
  return `${nip}${time}${String(serial).padStart(12, '0')}`;
}
