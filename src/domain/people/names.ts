// Normalises names, e-mail addresses and link tags.
const HIDDEN_CHARACTER = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/u;
/** Characters of addresses and links, which a person's name must not contain. */
const LINK_CHARACTER = /[<>@:/\\"]/;
const PERSON_MAX = 100;
const BUSINESS_MAX = 140;

/**
 * Normalises a name that people type and mails show. The name is one line of visible text. It has no control characters, line
 * breaks or direction marks, so that it cannot forge a mail header or hide a link.
 */
export function normalisePersonName(text: string): string | undefined {
  const name = normaliseLine(text, PERSON_MAX);
  return name === undefined || LINK_CHARACTER.test(name) ? undefined : name;
}

export function normaliseBusinessName(text: string): string | undefined {
  return normaliseLine(text, BUSINESS_MAX);
}

/** The trimmed text. Undefined: the text is empty, too long or contains invisible characters. */
export function normaliseLine(text: string, maxLength: number): string | undefined {
  if (!text.isWellFormed() || HIDDEN_CHARACTER.test(text.trim())) return undefined;
  const line = text.trim().normalize('NFC');
  return line === '' || line.length > maxLength ? undefined : line;
}

// E-mail addresses identify people, so each address has one normalised spelling. The local part is compared without case, as
// all mail services do. Nothing else is changed, because two addresses that differ otherwise may be different mailboxes.
const MAX_LENGTH = 254;
const FORM = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;

/** The normalised spelling of an e-mail address. Undefined: mail cannot be sent to the text. */
export function normaliseEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  if (email.length > MAX_LENGTH || !FORM.test(email)) return undefined;
  const [local] = email.split('@');
  return local!.startsWith('.') || local!.endsWith('.') || local!.includes('..') ? undefined : email;
}

// The link tag of a business is its short public name. Every way to create a business uses this rule.
const LINK_TAG = /^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$/;

export function isLinkTag(text: string): boolean {
  return LINK_TAG.test(text);
}
