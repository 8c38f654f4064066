// Names, e-mail addresses and link tags, each in one form.
const HIDDEN_CHARACTER = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/u;
/** The characters of addresses and links, which names of people do not have. */
const LINK_CHARACTER = /[<>@:/\\"]/;
const PERSON_MAX = 100;
const BUSINESS_MAX = 140;

/**
 * Names that people type and mails show. A name is one line of visible text: no control characters, no
 * line ends of any kind and no marks that turn the direction of writing, so that it cannot forge a header
 * or hide a link.
 */
export function normalisePersonName(text: string): string | undefined {
  const name = normaliseLine(text, PERSON_MAX);
  return name === undefined || LINK_CHARACTER.test(name) ? undefined : name;
}

export function normaliseBusinessName(text: string): string | undefined {
  return normaliseLine(text, BUSINESS_MAX);
}

/** Trimmed; undefined when it is empty, too long or holds what cannot be seen. */
export function normaliseLine(text: string, maxLength: number): string | undefined {
  if (!text.isWellFormed() || HIDDEN_CHARACTER.test(text.trim())) return undefined;
  const line = text.trim().normalize('NFC');
  return line === '' || line.length > maxLength ? undefined : line;
}

// E-mail addresses as identities: one spelling each. The local part is compared without case, as every mail service in use
// does; nothing else is folded, so that two addresses that may be two mailboxes stay two people.
const MAX_LENGTH = 254;
const FORM = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;

/** The one spelling of an address; undefined when the text is not an address that mail can be sent to. */
export function normaliseEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  if (email.length > MAX_LENGTH || !FORM.test(email)) return undefined;
  const [local] = email.split('@');
  return local!.startsWith('.') || local!.endsWith('.') || local!.includes('..') ? undefined : email;
}

// The link tag of a business: its short public name, the same rule wherever a business is made.
const LINK_TAG = /^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$/;

export function isLinkTag(text: string): boolean {
  return LINK_TAG.test(text);
}
