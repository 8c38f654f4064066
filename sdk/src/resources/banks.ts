// The bank directory, and who owns an account. `banks()` lists; `banks.account()` asks a bank.
import type { ListBanksQuery } from '../api-types.ts';
import type { Bank, BankAccount } from '../api-words.ts';
import { invalidArgument } from '../errors.ts';
import type { CallOptions, Transport } from '../transport/transport.ts';

const PATH = '/banks/v1';

export interface Banks {
  /** The banks that the service knows, with their other names and codes; with `q`, those that are like it, the closest first. */
  (query?: ListBanksQuery, options?: CallOptions): Promise<readonly Bank[]>;
  /**
   * Who owns an account, as its bank says. Throws a SliproadApiError with the code `account_not_found` when the bank has no such
   * account. Few questions a minute are allowed: ask when a customer enters an account, not for lists of them.
   */
  account(code: string, number: string, options?: CallOptions): Promise<BankAccount>;
}

export function makeBanks(transport: Transport): Banks {
  const list = ({ q }: ListBanksQuery = {}, { signal }: CallOptions = {}) =>
    transport.field<readonly Bank[]>({ method: 'GET', path: PATH, query: { q }, signal }, 'banks');
  const account = async (code: string, number: string, { signal }: CallOptions = {}) => {
    // Anything else could lead to another route.
    if (typeof code !== 'string' || !/^[\w-]+$/.test(code))
      throw invalidArgument(
        'code',
        'code must be the code of an entry of banks(), such as guaranty-trust-bank.',
      );
    if (typeof number !== 'string' || !/^\d{10}$/.test(number))
      throw invalidArgument('number', 'number must be the 10 digits of an account number, as a string.');
    const path = `${PATH}/${code}/accounts/${number}`;
    return transport.field<BankAccount>({ method: 'GET', path, signal }, 'account');
  };
  return Object.assign(list, { account });
}
