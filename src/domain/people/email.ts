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
