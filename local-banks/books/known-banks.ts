// The banks that the local providers know, with three codes of each bank: CBN, NIP and Paystack's own. The list is public. In
// APIs with CBN codes, a bank without a CBN code uses its Paystack code.
import { readFileSync } from 'node:fs';

export interface KnownBank {
  readonly nip: string;
  readonly cbn: string;
  readonly paystack: string;
  readonly name: string;
}

export const KNOWN_BANKS: readonly KnownBank[] = readFileSync(
  new URL('known-banks.csv', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [nip = '', cbn = '', paystack = '', name = ''] = line.split(';');
    return { nip, cbn, paystack, name };
  });

const indexBy = (codeOf: (bank: KnownBank) => string) =>
  new Map(KNOWN_BANKS.filter((bank) => codeOf(bank) !== '').map((bank) => [codeOf(bank), bank]));
const BY_NIP = indexBy(({ nip }) => nip);
const BY_CBN = indexBy(({ cbn }) => cbn);
const BY_PAYSTACK = indexBy(({ paystack }) => paystack);

export const bankByNip = (code: string): KnownBank | undefined => BY_NIP.get(code);
export const bankByPaystack = (code: string): KnownBank | undefined => BY_PAYSTACK.get(code);
export const bankByCbn = (code: string): KnownBank | undefined => BY_CBN.get(code) ?? BY_PAYSTACK.get(code);
export const bankByAnyCode = (code: string): KnownBank | undefined =>
  BY_CBN.get(code) ?? BY_NIP.get(code) ?? BY_PAYSTACK.get(code);
export const cbnCodeOf = ({ cbn, paystack, nip }: KnownBank): string => cbn || paystack || nip;
