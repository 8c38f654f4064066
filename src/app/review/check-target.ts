// Checks the destination of a refund: an account at a bank that can be paid, or a valid address of a network that is not the
// operator's own.
import { isAccountNumber } from '../../domain/catalogue/banks.ts';
import { inspectName } from '../../domain/matching/inspect-name.ts';
import type { AccountDestination, WalletDestination } from '../../domain/records/movement.ts';
import { type RefundTarget, type ReviewRefusal, refuse } from '../../domain/review/proposal.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import { isPlainText } from '../input/field-rules.ts';
import type { ReviewDeps } from './review-deps.ts';

const NAME_MAX = 140;

export function checkTargetAccount(
  { banks }: Pick<ReviewDeps, 'banks'>,
  target: RefundTarget,
): Result<AccountDestination, ReviewRefusal> {
  if (!('accountNumber' in target)) {
    return refuse(
      'invalid',
      'Naira go to a bank account: name the bank, the account number and the account name.',
    );
  }
  const { bankCode, accountNumber, accountName } = target;
  const bank = banks.resolve(bankCode);
  if (bank === undefined) return refuse('invalid', `There is no bank "${bankCode}" in the bank directory.`);
  if (!bank.payable) return refuse('invalid', `${bank.name} cannot receive payouts.`);
  if (!isAccountNumber(accountNumber)) {
    return refuse('invalid', 'The account number must have exactly 10 digits, including leading zeros.');
  }
  const named = accountName !== null && isPlainText(accountName) && accountName.length <= NAME_MAX;
  const display = named ? inspectName(accountName).display : '';
  if (display === '') return refuse('invalid', 'The account name is missing.');
  return ok({ bankCode: bank.code, accountNumber, accountName: display });
}

export async function checkTargetWallet(
  { networks, store }: Pick<ReviewDeps, 'networks' | 'store'>,
  mode: Mode,
  networkName: string,
  target: RefundTarget,
): Promise<Result<WalletDestination, ReviewRefusal>> {
  if (!('address' in target))
    return refuse('invalid', `Tokens go to an address on ${networkName}: name the address.`);
  const network = networks.find(mode, networkName);
  if (network === undefined) return refuse('not_possible', `${networkName} is not enabled in ${mode} mode.`);
  const checked = network.checkAddress(target.address);
  if (!checked.ok) return refuse('invalid', checked.message);
  const { address } = checked;
  if (await store.isDepositTarget(mode, { network: network.name, address })) {
    return refuse('invalid', 'The address is one of our own deposit addresses.');
  }
  return ok({ address });
}
