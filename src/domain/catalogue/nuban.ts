// Nigerian account numbers: ten digits as text, because leading zeros are part of them. The check digit is a
// warning and never a reason to refuse: real numbers fail it, wrong ones pass, and only a name enquiry knows.

const ACCOUNT_NUMBER = /^[0-9]{10}$/;
const WEIGHTS = [3, 7, 3] as const;

export function isAccountNumber(text: string): boolean {
  return ACCOUNT_NUMBER.test(text);
}

/**
 * Whether the last digit agrees with the bank's central-bank code, or undefined when the code has no known
 * form: three digits (2010), five digits of another institution or the six-digit form of either (2020).
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

/** The six digits of 2020. A bank's begin 000, which weighs nothing, so the result of 2010 is the same. */
function institutionCode(cbnCode: string): string | undefined {
  if (/^[0-9]{3}$/.test(cbnCode)) return `000${cbnCode}`;
  if (/^[0-9]{5}$/.test(cbnCode)) return `9${cbnCode}`;
  return /^(?:000[0-9]{3}|9[0-9]{5})$/.test(cbnCode) ? cbnCode : undefined;
}
