// Makes an account number for a transaction of test mode that has none.
import { nubanCheckPasses } from '../../domain/catalogue/banks.ts';
import { EXAMPLE_ACCOUNT } from '../../ports/sandbox.ts';

/**
 * Each serial number gives a different account number. Otherwise payments for two buys with the same account and amount would
 * look the same.
 */
export function makeExampleAccountNumber(serialNumber: number): string {
  const serial = String(serialNumber).padStart(9, '0');
  const digits = Array.from({ length: 10 }, (_, digit) => `${serial}${digit}`);
  return digits.find((number) => nubanCheckPasses(EXAMPLE_ACCOUNT.cbnCode, number)) ?? `${serial}0`;
}
