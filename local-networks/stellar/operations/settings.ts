// Operations on an account itself: setOptions (signers, thresholds, flags, home domain), manageData and bumpSequence.
import { StrKey, type xdr } from '@stellar/stellar-sdk';
import { opResult } from '../results.ts';
import { type AccountEntry, countSubentries, minimumBalance } from '../state.ts';
import type { OperationRules } from './operation.ts';
import { FLAG_AUTH_REVOCABLE, FLAG_CLAWBACK, MAX_SUBENTRIES } from './trust.ts';

const ALL_FLAGS = 15;
const FLAG_IMMUTABLE = 4;
const MAX_SIGNERS = 20;

function findMalformedOptions(body: xdr.SetOptionsOp, source: string): xdr.OperationResult | undefined {
  const set = body.setFlags ?? 0;
  const clear = body.clearFlags ?? 0;
  if (((set | clear) & ~ALL_FLAGS) !== 0) return opResult.setOptions('setOptionsUnknownFlag');
  if ((set & clear) !== 0) return opResult.setOptions('setOptionsBadFlags');
  const weights = [body.masterWeight, body.lowThreshold, body.medThreshold, body.highThreshold];
  if (weights.some((weight) => weight !== null && weight > 255)) {
    return opResult.setOptions('setOptionsThresholdOutOfRange');
  }
  if (body.signer !== null) {
    const { key, weight } = body.signer;
    if (key.type !== 'signerKeyTypeEd25519') return opResult.notSupported();
    const self = StrKey.encodeEd25519PublicKey(key.ed25519.toBytes()) === source;
    if (self || weight > 255) return opResult.setOptions('setOptionsBadSigner');
  }
  if (body.homeDomain !== null && !/^[\x20-\x7e]*$/.test(body.homeDomain.toString())) {
    return opResult.setOptions('setOptionsInvalidHomeDomain');
  }
  return undefined;
}

function withFlags(account: AccountEntry, body: xdr.SetOptionsOp): AccountEntry | xdr.OperationResult {
  const set = body.setFlags ?? 0;
  const clear = body.clearFlags ?? 0;
  if ((set | clear) !== 0 && (account.flags & FLAG_IMMUTABLE) !== 0) {
    return opResult.setOptions('setOptionsCantChange');
  }
  const flags = (account.flags & ~clear) | set;
  if ((flags & FLAG_CLAWBACK) !== 0 && (flags & FLAG_AUTH_REVOCABLE) === 0) {
    return opResult.setOptions('setOptionsAuthRevocableRequired');
  }
  return { ...account, flags };
}

function withSigner(account: AccountEntry, signer: xdr.Signer): AccountEntry | xdr.OperationResult {
  if (signer.key.type !== 'signerKeyTypeEd25519') return opResult.notSupported();
  const key = StrKey.encodeEd25519PublicKey(signer.key.ed25519.toBytes());
  const signers = new Map(account.signers);
  if (signer.weight === 0) {
    signers.delete(key);
  } else {
    if (!signers.has(key)) {
      if (signers.size >= MAX_SIGNERS) return opResult.setOptions('setOptionsTooManySigners');
      if (countSubentries(account) >= MAX_SUBENTRIES) return opResult.tooManySubentries();
      if (account.balance < minimumBalance(account, 1)) return opResult.setOptions('setOptionsLowReserve');
    }
    signers.set(key, signer.weight);
  }
  return { ...account, signers };
}

export const setOptions: OperationRules<xdr.SetOptionsOp> = {
  threshold: (body) =>
    body.masterWeight !== null ||
    body.lowThreshold !== null ||
    body.medThreshold !== null ||
    body.highThreshold !== null ||
    body.signer !== null
      ? 'high'
      : 'med',
  malformed: findMalformedOptions,
  apply(body, { layer, source }) {
    const before = layer.account(source)!;
    const flagged = withFlags(before, body);
    if ('type' in flagged) return flagged;
    const signed = body.signer === null ? flagged : withSigner(flagged, body.signer);
    if ('type' in signed) return signed;
    layer.putAccount({
      ...signed,
      masterWeight: body.masterWeight ?? signed.masterWeight,
      thresholds: {
        low: body.lowThreshold ?? signed.thresholds.low,
        med: body.medThreshold ?? signed.thresholds.med,
        high: body.highThreshold ?? signed.thresholds.high,
      },
      homeDomain: body.homeDomain?.toString() ?? signed.homeDomain,
    });
    return opResult.setOptions('setOptionsSuccess');
  },
};

export const manageData: OperationRules<xdr.ManageDataOp> = {
  threshold: () => 'med',
  malformed: (body) =>
    /^[\x20-\x7e]+$/.test(body.dataName.toString())
      ? undefined
      : opResult.manageData('manageDataInvalidName'),
  apply(body, { layer, source }) {
    const account = layer.account(source)!;
    const name = body.dataName.toString();
    const data = new Map(account.data);
    if (body.dataValue === null) {
      if (!data.delete(name)) return opResult.manageData('manageDataNameNotFound');
    } else {
      if (!data.has(name)) {
        if (countSubentries(account) >= MAX_SUBENTRIES) return opResult.tooManySubentries();
        if (account.balance < minimumBalance(account, 1)) return opResult.manageData('manageDataLowReserve');
      }
      data.set(name, body.dataValue.toBytes());
    }
    layer.putAccount({ ...account, data });
    return opResult.manageData('manageDataSuccess');
  },
};

export const bumpSequence: OperationRules<xdr.BumpSequenceOp> = {
  threshold: () => 'low',
  malformed: (body) => (body.bumpTo < 0n ? opResult.bumpSequence('bumpSequenceBadSeq') : undefined),
  apply(body, { layer, source }) {
    const account = layer.account(source)!;
    if (body.bumpTo > account.sequence) {
      const { sequence: sequenceLedger, closeTime: sequenceTime } = layer.moment;
      layer.putAccount({ ...account, sequence: body.bumpTo, sequenceLedger, sequenceTime });
    }
    return opResult.bumpSequence('bumpSequenceSuccess');
  },
};
