// The rules for the values in a request for a buy or a sell. Each rule returns the normalised value or records a field error.
// The response reports all errors of a request together.
import { isAccountNumber } from '../../domain/catalogue/banks.ts';
import { feeFor } from '../../domain/catalogue/fees.ts';
import { inspectName } from '../../domain/matching/inspect-name.ts';
import type { TransactionType } from '../../domain/records/states.ts';
import type { Wallet } from '../../domain/records/transaction.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { type AmountBounds, formatNaira, parseAmount } from '../../domain/values/money.ts';
import {
  type FieldError,
  fieldRefusal,
  type Refusal,
  type RefusalCode,
} from '../../domain/values/refusals.ts';
import type { DescribedNetworks, NetworkDescription } from '../../ports/networks/network.ts';
import type { FeePayer } from './caller.ts';

export class FieldErrors {
  private readonly list: FieldError[] = [];

  add(field: string, code: RefusalCode, message: string): undefined {
    this.list.push({ field, code, message });
    return undefined;
  }

  /** Returns one refusal for all recorded errors, or undefined if there are none. */
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
  format: (amountMinor: bigint) => string = formatNaira,
): bigint | undefined {
  const parsed = parseAmount(sourceText, bounds);
  if (parsed.ok) return parsed.value;
  const messages = {
    amount_malformed: 'amount must be in plain digits without an exponent, for example 15000 or 15000.50.',
    amount_below_minimum: `amount is below the minimum of ${format(bounds.minMinor)}.`,
    amount_above_maximum: `amount is above the maximum of ${format(bounds.maxMinor)}.`,
    amount_too_precise: 'amount has more than 2 decimals. Round it yourself: the service never rounds.',
  };
  return errors.add('amount', parsed.error, messages[parsed.error]);
}

/** Computes the fee of the transaction. The amount must be greater than its fee. */
export function checkFee(
  errors: FieldErrors,
  { key, catalogue }: FeePayer,
  product: TransactionType,
  amountMinor: bigint | undefined,
  atMs: number,
): bigint | undefined {
  if (amountMinor === undefined) return undefined;
  const charge = { businessId: key.business.id, product, amountMinor, atMs };
  const feeMinor = feeFor(catalogue.fees[key.mode], charge);
  if (feeMinor < amountMinor) return feeMinor;
  const message = `amount must be above the fee of ${formatNaira(feeMinor)}.`;
  return errors.add('amount', 'amount_below_minimum', message);
}

export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !CONTROL.test(text);
}

export function checkText(
  errors: FieldErrors,
  field: string,
  text: string,
  maxLength: number,
): string | undefined {
  if (!isPlainText(text)) {
    return errors.add(
      field,
      'text_invalid',
      `${field} contains control characters or broken Unicode. Remove them.`,
    );
  }
  const trimmed = text.trim();
  if (trimmed === '') return errors.add(field, 'text_invalid', `${field} must not be empty.`);
  if (trimmed.length > maxLength) {
    return errors.add(field, 'too_long', `${field} is longer than ${maxLength} characters. Shorten it.`);
  }
  return trimmed;
}

export function checkBankName(errors: FieldErrors, field: string, text: string): string | undefined {
  const clean = checkText(errors, field, text, BANK_NAME_MAX);
  if (clean === undefined || !inspectName(clean).flags.includes('invisible_characters')) return clean;
  return errors.add(field, 'text_invalid', `${field} contains invisible characters. Remove them.`);
}

export function checkAccountNumber(errors: FieldErrors, field: string, text: string): string | undefined {
  if (isAccountNumber(text)) return text;
  return errors.add(
    field,
    'account_number_invalid',
    `${field} must be a string of exactly 10 digits, including leading zeros.`,
  );
}

export function checkAccountName(
  errors: FieldErrors,
  text: string,
): { readonly display: string; readonly flags: readonly string[] } | undefined {
  const clean = checkText(errors, 'account_name', text, NAME_MAX);
  if (clean === undefined) return undefined;
  const { display, flags } = inspectName(clean);
  if (display === '')
    return errors.add(
      'account_name',
      'account_name_invalid',
      'account_name has no visible characters. Use the name on the account.',
    );
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
    'reference must be 1 to 64 characters from A-Z, a-z, 0-9, dot, underscore, colon and hyphen.',
  );
}

/** Returns the name of a network in its usual spelling. The name of an unknown network stays unchanged. */
export function normaliseNetworkName(networks: DescribedNetworks, text: string | undefined): string | null {
  return text === undefined ? null : (networks.spell(text) ?? text);
}

/** A request must contain both network and wallet_address, or neither of them. */
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
      `${missing} is missing: send network and wallet_address together, or neither.`,
    );
  }
  const network = checkNetwork(errors, networks, mode, networkText);
  if (network === undefined) return undefined;
  const checked = network.checkAddress(addressText);
  if (!checked.ok) return errors.add('wallet_address', checked.code, checked.message);
  return { network: network.name, address: checked.address };
}

export function checkNetwork(
  errors: FieldErrors,
  networks: DescribedNetworks,
  mode: Mode,
  text: string,
): NetworkDescription | undefined {
  const name = networks.spell(text);
  if (name === undefined) {
    return errors.add('network', 'network_unknown', `network must be one of ${networks.names.join(', ')}.`);
  }
  const network = networks.find(mode, name);
  if (network !== undefined) return network;
  return errors.add(
    'network',
    'network_not_enabled',
    `network ${name} is not enabled in ${mode} mode yet. ${suggestNetworks(networks, mode)}`,
  );
}

function suggestNetworks(networks: DescribedNetworks, mode: Mode): string {
  const names = networks.enabled(mode).map(({ name }) => name);
  return names.length === 0 ? 'Ask the operator.' : `Use ${names.join(', ')}, or ask the operator.`;
}
