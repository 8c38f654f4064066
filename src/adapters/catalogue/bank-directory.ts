// The banks that the service knows by name. They are loaded from the list next to this file. When a bank's name, code or
// licence changes, only that list must change.
import { type Bank, type BankDirectory, isPayable, makeBankDirectory } from '../../domain/catalogue/banks.ts';
import rows from './bank-directory.json' with { type: 'json' };

export function loadBankDirectory(): BankDirectory {
  return makeBankDirectory(
    rows.map((row) => {
      const status = row.status as Bank['status'];
      const { code, name, type, cbnCode, nipCode, paystackCode, aliases } = row;
      const payable = isPayable({ type, status });
      return { code, name, type, cbnCode, nipCode, paystackCode, aliases, status, payable };
    }),
  );
}
