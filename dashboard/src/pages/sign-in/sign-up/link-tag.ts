// Suggests a link tag from the name of a business: "Kọ́lá Trade & Co" becomes "kola-trade-co".
const LONGEST = 40;

export function linkTagFrom(businessName: string): string {
  return businessName
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replaceAll(/^-+|-+$/g, '');
}
