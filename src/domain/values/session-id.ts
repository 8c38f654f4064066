// The id that a bank gives to one transfer. A NIP session id has 30 digits; ids of ISO 20022 (the National Payment Stack) have other
// forms, such as a UUID. So the form says only whether two ids can be compared.

/** Placeholders such as thirty zeros, `N/A` or a short counter name no transfer. */
const FORM = /^[A-Za-z0-9][A-Za-z0-9/:._-]{19,63}$/;
const LEAST_DIGITS = 10;
const LEAST_DIFFERENT = 4;
const NIP = /^[0-9]{30}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id as it is stored, or null: the text names no transfer. Only a field that the payer cannot write may be given. */
export function parseSessionId(text: string | null): string | null {
  const id = text?.trim() ?? '';
  const one = UUID.test(id.toLowerCase()) ? id.toLowerCase() : id;
  return isSessionId(one) ? one : null;
}

export function isSessionId(text: string): boolean {
  return (
    FORM.test(text) &&
    text.replaceAll(/[^0-9]/g, '').length >= LEAST_DIGITS &&
    new Set(text).size >= (NIP.test(text) ? 2 : LEAST_DIFFERENT)
  );
}

type SessionScheme = 'nip' | 'uuid' | 'other';

function schemeOf(id: string): SessionScheme {
  if (NIP.test(id)) return 'nip';
  return UUID.test(id) ? 'uuid' : 'other';
}

/** Whether two ids can be compared: a bank may report one transfer under its NIP session and under a UUID. */
export function haveSameScheme(a: string, b: string): boolean {
  return schemeOf(a) === schemeOf(b);
}

/** Whether the ids name different transfers. */
export function areOtherSessions(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && a !== b && haveSameScheme(a, b);
}
