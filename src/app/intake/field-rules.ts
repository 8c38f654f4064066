// The rules that values of a submission must keep, shared by buys and sells. Each rule answers with the normalised
// value or notes a field error; all errors of a request are reported together.

import { feeFor } from '../../domain/catalogue/fees.ts';
import { isAccountNumber } from '../../domain/catalogue/nuban.ts';
import { inspectName } from '../../domain/matching/names.ts';
import type { TransactionType } from '../../domain/records/states.ts';
import type { Wallet } from '../../domain/records/transaction.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { AmountBounds } from '../../domain/values/money.ts';
import { formatNaira, parseAmount } from '../../domain/values/money.ts';
import {
  type FieldError,
  fieldRefusal,
  type Refusal,
  type RefusalCode,
} from '../../domain/values/refusals.ts';
import type { DescribedNetworks } from '../../ports/network/network.ts';
import type { Caller } from './caller.ts';

export class FieldErrors {
  private readonly list: FieldError[] = [];

  add(field: string, code: RefusalCode, message: string): undefined {
    this.list.push({ field, code, message });
    return undefined;
  }

  /** One refusal for all that was noted, or undefined when every rule was kept. */
  refusal(): Refusal | undefined {
    const [first, ...rest] = this.list;
    return first === undefined ? undefined : fieldRefusal([first, ...rest]);
  }
}

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
const NAME_MAX = 140;
const BANK_NAME_MAX = 100;
const REFERENCE = /^[A-Za-z0-9._:-]{1,64}$/;

export function checkAmount(
  errors: FieldErrors,
  sourceText: string,
  bounds: AmountBounds,
): bigint | undefined {
  const parsed = parseAmount(sourceText, bounds);
  if (parsed.ok) return parsed.value;
  const messages = {
    amount_malformed: 'amount must be written in plain digits, for example 15000 or 15000.50.',
    amount_below_minimum: `amount is below the minimum of ${formatNaira(bounds.minMinor)}.`,
    amount_above_maximum: `amount is above the maximum of ${formatNaira(bounds.maxMinor)}.`,
    amount_too_precise: 'amount has more than 2 decimals; it is never rounded.',
  };
  return errors.add('amount', parsed.error, messages[parsed.error]);
}

/** What the transaction costs; an amount that the fee would eat up whole is too small. */
export function checkFee(
  errors: FieldErrors,
  { key, catalogue }: Caller,
  product: TransactionType,
  amountMinor: bigint | undefined,
  atMs: number,
): bigint | undefined {
  if (amountMinor === undefined) return undefined;
  const charge = { businessId: key.business.id, product, amountMinor, atMs };
  const feeMinor = feeFor(catalogue.fees[key.mode], charge);
  if (feeMinor < amountMinor) return feeMinor;
  const message = `amount does not exceed the fee of ${formatNaira(feeMinor)}.`;
  return errors.add('amount', 'amount_below_minimum', message);
}

/** Well-formed and without control characters: text that can be stored, and shown to people. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !CONTROL.test(text);
}

/** Visible text: plain, trimmed, not empty. */
export function checkText(
  errors: FieldErrors,
  field: string,
  text: string,
  maxLength: number,
): string | undefined {
  if (!isPlainText(text)) {
    return errors.add(field, 'text_invalid', `${field} contains characters that cannot be stored.`);
  }
  const trimmed = text.trim();
  if (trimmed === '') return errors.add(field, 'text_invalid', `${field} must not be empty.`);
  if (trimmed.length > maxLength) {
    return errors.add(field, 'too_long', `${field} is longer than ${maxLength} characters.`);
  }
  return trimmed;
}

export function checkBankName(errors: FieldErrors, field: string, text: string): string | undefined {
  const clean = checkText(errors, field, text, BANK_NAME_MAX);
  if (clean === undefined || !inspectName(clean).flags.includes('invisible_characters')) return clean;
  return errors.add(field, 'text_invalid', `${field} contains characters that cannot be seen.`);
}

export function checkAccountNumber(errors: FieldErrors, field: string, text: string): string | undefined {
  if (isAccountNumber(text)) return text;
  return errors.add(
    field,
    'account_number_invalid',
    `${field} must be exactly 10 digits, leading zeros included.`,
  );
}

/** The name as it will be shown, with what a reviewer should know about its letters. */
export function checkAccountName(
  errors: FieldErrors,
  text: string,
): { readonly display: string; readonly flags: readonly string[] } | undefined {
  const clean = checkText(errors, 'account_name', text, NAME_MAX);
  if (clean === undefined) return undefined;
  const { display, flags } = inspectName(clean);
  if (display === '')
    return errors.add('account_name', 'account_name_invalid', 'account_name has no letters.');
  return { display, flags };
}

export function isReference(text: string): boolean {
  return REFERENCE.test(text);
}

export function checkReference(errors: FieldErrors, text: string): string | undefined {
  if (isReference(text)) return text;
  return errors.add(
    'reference',
    'reference_invalid',
    'reference must be 1 to 64 characters of A-Z, a-z, 0-9, dot, underscore, colon and hyphen.',
  );
}

/** A network's name in its own spelling, as far as it is known. */
export function spelled(networks: DescribedNetworks, text: string | undefined): string | null {
  return text === undefined ? null : (networks.spell(text) ?? text);
}

/** network and wallet_address come as a pair: both or neither. */
export function checkWallet(
  errors: FieldErrors,
  networks: DescribedNetworks,
  mode: Mode,
  given: { readonly network?: string | undefined; readonly wallet_address?: string | undefined },
): Wallet | null | undefined {
  const { network: networkText, wallet_address: addressText } = given;
  if (networkText === undefined && addressText === undefined) return null;
  if (networkText === undefined || addressText === undefined) {
    const missing = networkText === undefined ? 'network' : 'wallet_address';
    return errors.add(
      missing,
      'wallet_incomplete',
      'network and wallet_address go together: send both or neither.',
    );
  }
  const name = networks.spell(networkText);
  if (name === undefined) {
    return errors.add('network', 'network_unknown', `network must be one of ${networks.names.join(', ')}.`);
  }
  const network = networks.find(mode, name);
  if (network === undefined) {
    return errors.add('network', 'network_not_enabled', `${name} is not enabled in ${mode} mode yet.`);
  }
  const checked = network.checkAddress(addressText);
  if (!checked.ok) return errors.add('wallet_address', checked.code, checked.message);
  return { network: name, address: checked.address };
}
