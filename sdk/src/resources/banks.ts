// The bank directory, and the owners of accounts. `banks()` lists the banks. `banks.account()` asks a bank for the owner of an
// account.
import type { ListBanksQuery } from '../api-types.ts';
import type { Bank, BankAccount } from '../api-words.ts';
import { invalidArgument } from '../errors.ts';
import type { CallOptions, Transport } from '../transport/transport.ts';

const PATH = '/banks/v1';

export interface Banks {
  /**
   * Returns the banks of the directory with their alternative names and codes. With `q`, the call returns only similar banks,
   * the closest match first.
   */
  (query?: ListBanksQuery, options?: CallOptions): Promise<readonly Bank[]>;
  /**
   * Returns the owner of an account, as its bank reports it. Throws a SliproadApiError with the code `account_not_found` if the
   * bank does not have this account. Only a few lookups per minute are allowed. So look up an account when a customer enters
   * it, and do not check lists of accounts.
   */
  account(code: string, number: string, options?: CallOptions): Promise<BankAccount>;
}

export function makeBanks(transport: Transport): Banks {
  const list = ({ q }: ListBanksQuery = {}, { signal }: CallOptions = {}) =>
    transport.field<readonly Bank[]>({ method: 'GET', path: PATH, query: { q }, signal }, 'banks');
  const account = async (code: string, number: string, { signal }: CallOptions = {}) => {
    // Other characters could change the path, so that the request would reach a different route.
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
