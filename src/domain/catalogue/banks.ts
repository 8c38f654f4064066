// Finds a bank by any spelling of its name. Two banks may never share a spelling, because money would go to the wrong bank. A
// code finds a bank only if no code scheme assigns the code to another bank.
export interface Bank {
  readonly code: string;
  readonly name: string;
  readonly type: string;
  readonly cbnCode: string | null;
  readonly nipCode: string;
  readonly paystackCode: string | null;
  readonly aliases: readonly string[];
  readonly status: 'active' | 'legacy' | 'closed';
  readonly payable: boolean;
}

export interface BankDirectory {
  readonly all: readonly Bank[];
  resolve(text: string): Bank | undefined;
  search(text: string): readonly Bank[];
}

/** The codes of a legacy bank still work, and the codes of a closed bank do not. The central bank has no customer accounts. */
export function isPayable(bank: Pick<Bank, 'type' | 'status'>): boolean {
  return bank.status !== 'closed' && bank.type !== 'central';
}

export function makeBankDirectory(banks: readonly Bank[]): BankDirectory {
  const bySpelling = indexSpellings(banks);
  const byCode = indexCodes(banks);
  const entries = banks.map((bank) => ({ bank, keys: spellingsOf(bank).map(spellingKey) }));

  function resolve(text: string): Bank | undefined {
    const key = spellingKey(text);
    if (key === undefined) return undefined;
    // The text "Xyz Bank" also finds a bank that is known only as "Xyz".
    return bySpelling.get(key) ?? bySpelling.get(dropBankSuffix(key)) ?? byCode.get(text.trim());
  }

  function search(text: string): readonly Bank[] {
    const key = spellingKey(text);
    if (key === undefined) return [];
    const exact = resolve(text);
    const rank = (bank: Bank, keys: readonly (string | undefined)[]) => {
      if (bank === exact) return 0;
      if (keys.some((candidate) => candidate?.startsWith(key))) return 1;
      return keys.some((candidate) => candidate?.includes(key)) ? 2 : 3;
    };
    return entries
      .map(({ bank, keys }) => ({ bank, rank: rank(bank, keys) }))
      .filter((entry) => entry.rank < 3)
      .sort((a, b) => a.rank - b.rank || (a.bank.name < b.bank.name ? -1 : 1))
      .map((entry) => entry.bank);
  }

  return { all: banks, resolve, search };
}

function spellingsOf(bank: Bank): readonly string[] {
  return [bank.code, bank.name, ...bank.aliases];
}

function indexSpellings(banks: readonly Bank[]): Map<string, Bank> {
  const index = new Map<string, Bank>();
  // "Xyz" and "Xyz Bank" must not be two different banks, because people would confuse them.
  const loose = new Map<string, Bank>();
  for (const bank of banks) {
    for (const spelling of spellingsOf(bank)) {
      const key = spellingKey(spelling);
      if (key === undefined) throw new Error(`bank ${bank.code}: "${spelling}" is not a usable name`);
      const holder = loose.get(dropBankSuffix(key)) ?? bank;
      if (holder !== bank)
        throw new Error(`banks ${holder.code} and ${bank.code} share the name "${spelling}"`);
      loose.set(dropBankSuffix(key), bank);
      index.set(key, bank);
    }
  }
  return index;
}

/**
 * Indexes three-digit central-bank codes and six-digit transfer codes. Codes of providers, and the six-digit account-number
 * form (000 and three digits), look the same but mean other banks. An ambiguous code therefore finds no bank.
 */
function indexCodes(banks: readonly Bank[]): Map<string, Bank> {
  const claims = new Map<string, Set<Bank>>();
  const claim = (code: string | null, bank: Bank) => {
    if (code !== null) claims.set(code, (claims.get(code) ?? new Set()).add(bank));
  };
  for (const bank of banks) {
    claim(bank.cbnCode, bank);
    claim(bank.nipCode, bank);
    claim(bank.paystackCode, bank);
    if (bank.cbnCode?.length === 3) claim(`000${bank.cbnCode}`, bank);
  }
  const index = new Map<string, Bank>();
  for (const bank of banks) {
    for (const code of [bank.cbnCode, bank.nipCode]) {
      if (code === null || !/^(?:[0-9]{3}|[0-9]{6})$/.test(code)) continue;
      if (claims.get(code)?.size === 1) index.set(code, bank);
    }
  }
  return index;
}

const LEGAL_WORDS: ReadonlySet<string> = new Set(['plc', 'ltd', 'limited', 'nigeria', 'nig', 'of']);

/**
 * The common form of all spellings of a name: its letters and digits without accents, case, punctuation and legal suffix.
 * Undefined if letters of another alphabet remain, because without these letters the name could equal another name.
 */
function spellingKey(text: string): string | undefined {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  if (/[^a-z0-9]/u.test(plain.replace(/[^\p{L}\p{N}]/gu, ''))) return undefined;
  const words = plain.replace(/[.'’]/g, '').match(/[a-z0-9]+/g) ?? [];
  while (words.length > 1 && LEGAL_WORDS.has(words.at(-1)!)) words.pop();
  if (words.length === 0) return undefined;
  return words
    .join('')
    .replace(/microfinance(?:bank)?$/, 'mfb')
    .replace(/paymentservicebank$/, 'psb');
}

function dropBankSuffix(key: string): string {
  return key.endsWith('bank') && key !== 'bank' ? key.slice(0, -'bank'.length) : key;
}

// Nigerian account numbers are text of ten digits, because leading zeros are part of them. A wrong check digit causes only a
// warning: some real numbers fail the check, and some wrong numbers pass it. Only a name enquiry is certain.
const ACCOUNT_NUMBER = /^[0-9]{10}$/;
const WEIGHTS = [3, 7, 3] as const;

export function isAccountNumber(text: string): boolean {
  return ACCOUNT_NUMBER.test(text);
}

/**
 * Whether the last digit of the account number fits the bank's central-bank code. Undefined: the form of the code is unknown.
 * Known forms have three digits (2010), five digits for other institutions, and six digits for both (2020).
 */
export function nubanCheckPasses(cbnCode: string, accountNumber: string): boolean | undefined {
  const institution = institutionCode(cbnCode);
  if (institution === undefined) return undefined;
  if (!isAccountNumber(accountNumber)) return false;
  let sum = 0;
  const digits = institution + accountNumber.slice(0, 9);
  for (let i = 0; i < digits.length; i++) sum += Number(digits[i]) * WEIGHTS[i % 3]!;
  return (10 - (sum % 10)) % 10 === Number(accountNumber[9]);
}

function institutionCode(cbnCode: string): string | undefined {
  if (/^[0-9]{3}$/.test(cbnCode)) return `000${cbnCode}`;
  if (/^[0-9]{5}$/.test(cbnCode)) return `9${cbnCode}`;
  return /^(?:000[0-9]{3}|9[0-9]{5})$/.test(cbnCode) ? cbnCode : undefined;
}
