// The payer at a fixed place of a narration: between tags of MT940, or behind two bars.
import { FULL_NUMBER, isPersonOrCompany } from './narration-fields.ts';
import type { StatementPayer } from './row.ts';

const TAG = /\/(ORDP|NAME|ACCT|REMI|BANK|BENM|TRTP|EREF|IBAN|BIC|CSID|MARF|RTRN)(?=\/)/g;

/** `/ORDP//NAME/ADA OBI/ACCT/0123456789/REMI/…`. What follows `/REMI/` is the payer's; a tag before it that occurs twice counts for nothing. */
export function findTaggedPayer(text: string): StatementPayer | null {
  const tags = [...text.matchAll(TAG)];
  const end = tags.findIndex(([, tag]) => tag === 'REMI');
  const own = end === -1 ? tags : tags.slice(0, end);
  const textBehind = (wanted: string): string | null => {
    const found = own.filter(([, tag]) => tag === wanted);
    if (found.length !== 1) return null;
    const from = found[0]!.index + found[0]![0].length + 1;
    return text.slice(from).split('/')[0]!.trim();
  };
  const [name, account] = [textBehind('NAME') ?? textBehind('ORDP'), textBehind('ACCT')];
  const named = name !== null && isPersonOrCompany(name) ? name : null;
  const number = account !== null && FULL_NUMBER.test(account) ? account : null;
  if (named === null && number === null) return null;
  return { name: named, account: number, bankName: textBehind('BANK') || null };
}

const BEHIND_BARS = /\|\| ?([^|]{5,80}?) REF:/;

/** `…|remark|1376472273||ADA OBI REF:…` */
export function findBehindBars(text: string): StatementPayer | null {
  const name = BEHIND_BARS.exec(text)?.[1]?.trim();
  return name === undefined || !isPersonOrCompany(name) ? null : { name, account: null, bankName: null };
}
