// Names that people type and mails show. A name is one line of visible text: no control characters, no line ends of any
// kind and no marks that turn the direction of writing, so that it cannot forge a header or hide a link.

const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/u;
/** What addresses and links are made of, and names of people are not. */
const LINK = /[<>@:/\\"]/;
const PERSON_MAX = 100;
const BUSINESS_MAX = 140;

export function normalisePersonName(text: string): string | undefined {
  const name = oneLine(text, PERSON_MAX);
  return name === undefined || LINK.test(name) ? undefined : name;
}

export function normaliseBusinessName(text: string): string | undefined {
  return oneLine(text, BUSINESS_MAX);
}

/** Trimmed; undefined when it is empty, too long or holds what cannot be seen. */
export function oneLine(text: string, maxLength: number): string | undefined {
  if (!text.isWellFormed() || HIDDEN.test(text.trim())) return undefined;
  const line = text.trim().normalize('NFC');
  return line === '' || line.length > maxLength ? undefined : line;
}
