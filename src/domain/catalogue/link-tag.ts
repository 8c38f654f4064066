// The link tag of a business: its short public name, the same rule wherever a business is made.

const LINK_TAG = /^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$/;

export function isLinkTag(text: string): boolean {
  return LINK_TAG.test(text);
}
