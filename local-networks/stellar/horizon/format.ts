// Small parts of Horizon's responses: amounts with seven decimals, times, assets, memos, predicates and links.
import type { xdr } from '@stellar/stellar-sdk';
import type { AccountRef } from '../envelope.ts';
import { NATIVE } from '../state.ts';

export type HorizonJson = Record<string, unknown>;

export function amountText(minor: bigint): string {
  const digits = minor.toString().padStart(8, '0');
  return `${digits.slice(0, -7)}.${digits.slice(-7)}`;
}

export function timeText(seconds: number | bigint): string {
  return new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z');
}

export function assetType(code: string): string {
  return code.length <= 4 ? 'credit_alphanum4' : 'credit_alphanum12';
}

export function assetFields(asset: string): HorizonJson {
  if (asset === NATIVE) return { asset_type: NATIVE };
  const [code, issuer] = asset.split(':') as [string, string];
  return { asset_type: assetType(code), asset_code: code, asset_issuer: issuer };
}

export function accountFields(name: string, ref: AccountRef): HorizonJson {
  const plain = { [name]: ref.id };
  if (ref.muxed === undefined) return plain;
  return { ...plain, [`${name}_muxed`]: ref.muxed.address, [`${name}_muxed_id`]: ref.muxed.id.toString() };
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

export function memoFields(memo: xdr.Memo): HorizonJson {
  switch (memo.type) {
    case 'memoNone':
      return { memo_type: 'none' };
    case 'memoText':
      return { memo_type: 'text', memo: memo.text.toString(), memo_bytes: base64(memo.text.bytes) };
    case 'memoId':
      return { memo_type: 'id', memo: memo.id.toString() };
    case 'memoHash':
      return { memo_type: 'hash', memo: base64(memo.hash.toBytes()) };
    case 'memoReturn':
      return { memo_type: 'return', memo: base64(memo.retHash.toBytes()) };
  }
}

/** If a JavaScript date cannot represent a date, the response contains it only as a number. */
const LAST_DATE_SECONDS = 8_640_000_000_000n;

export function predicateFields(form: xdr.ClaimPredicate | null): HorizonJson {
  if (form === null) return {};
  switch (form.type) {
    case 'claimPredicateUnconditional':
      return { unconditional: true };
    case 'claimPredicateAnd':
      return { and: form.value.map(predicateFields) };
    case 'claimPredicateOr':
      return { or: form.value.map(predicateFields) };
    case 'claimPredicateNot':
      return { not: predicateFields(form.notPredicate) };
    case 'claimPredicateBeforeAbsoluteTime': {
      const epoch = form.absBefore.toString();
      const date = form.absBefore <= LAST_DATE_SECONDS ? timeText(form.absBefore) : epoch;
      return { abs_before: date, abs_before_epoch: epoch };
    }
    case 'claimPredicateBeforeRelativeTime':
      return { rel_before: form.relBefore.toString() };
  }
}

export const linkTo = (base: string, path: string) => ({ href: `${base}${path}` });

export const pagedLinkTo = (base: string, path: string) => ({
  href: `${base}${path}{?cursor,limit,order}`,
  templated: true,
});
