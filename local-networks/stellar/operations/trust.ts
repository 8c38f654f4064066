// Operations on trustlines: changeTrust by the holder, and setTrustLineFlags by the issuer (only to authorise).
import type { xdr } from '@stellar/stellar-sdk';
import { accountId, assetName, issuerOf } from '../envelope.ts';
import { opResult } from '../results.ts';
import { countSubentries, minimumBalance } from '../state.ts';
import { isValidAsset, type OperationRules } from './operation.ts';

const FLAG_AUTH_REQUIRED = 1;
export const FLAG_AUTH_REVOCABLE = 2;
export const FLAG_CLAWBACK = 8;
export const MAX_SUBENTRIES = 1000;

const LINE_AUTHORIZED = 1;

export const changeTrust: OperationRules<xdr.ChangeTrustOp> = {
  threshold: () => 'med',
  malformed(body, source) {
    const { line, limit } = body;
    if (line.type === 'assetTypePoolShare') return opResult.notSupported();
    const bad = limit < 0n || line.type === 'assetTypeNative' || !isValidAsset(line);
    if (bad || issuerOf(assetName(line)) === source) return opResult.changeTrust('changeTrustMalformed');
    return undefined;
  },
  apply(body, { layer, source }) {
    if (body.line.type === 'assetTypePoolShare') return opResult.notSupported();
    const asset = assetName(body.line);
    const account = layer.account(source)!;
    const line = account.trustlines.get(asset);
    if (body.limit < (line?.balance ?? 1n)) return opResult.changeTrust('changeTrustInvalidLimit');
    if (line !== undefined && body.limit === 0n) {
      const trustlines = new Map(account.trustlines);
      trustlines.delete(asset);
      layer.putAccount({ ...account, trustlines });
      return opResult.changeTrust('changeTrustSuccess');
    }
    const issuer = layer.account(issuerOf(asset));
    if (issuer === undefined) return opResult.changeTrust('changeTrustNoIssuer');
    if (line !== undefined) {
      layer.putTrustline(account, { ...line, limit: body.limit });
      return opResult.changeTrust('changeTrustSuccess');
    }
    if (countSubentries(account) >= MAX_SUBENTRIES) return opResult.tooManySubentries();
    if (account.balance < minimumBalance(account, 1)) return opResult.changeTrust('changeTrustLowReserve');
    layer.putTrustline(account, {
      asset,
      balance: 0n,
      limit: body.limit,
      authorized: (issuer.flags & FLAG_AUTH_REQUIRED) === 0,
      clawback: (issuer.flags & FLAG_CLAWBACK) !== 0,
      modifiedLedger: layer.moment.sequence,
    });
    return opResult.changeTrust('changeTrustSuccess');
  },
};

export const setTrustLineFlags: OperationRules<xdr.SetTrustLineFlagsOp> = {
  threshold: () => 'low',
  malformed(body, source) {
    const { setFlags, clearFlags, asset } = body;
    if (((setFlags | clearFlags) & ~LINE_AUTHORIZED) !== 0) return opResult.notSupported();
    const bad = asset.type === 'assetTypeNative' || !isValidAsset(asset) || (setFlags & clearFlags) !== 0;
    return bad || issuerOf(assetName(asset)) !== source || accountId(body.trustor) === source
      ? opResult.setTrustLineFlags('setTrustLineFlagsMalformed')
      : undefined;
  },
  apply(body, { layer, source }) {
    const issuer = layer.account(source)!;
    if (body.clearFlags !== 0 && (issuer.flags & FLAG_AUTH_REVOCABLE) === 0) {
      return opResult.setTrustLineFlags('setTrustLineFlagsCantRevoke');
    }
    const holder = layer.account(accountId(body.trustor));
    const line = holder?.trustlines.get(assetName(body.asset));
    if (holder === undefined || line === undefined) {
      return opResult.setTrustLineFlags('setTrustLineFlagsNoTrustLine');
    }
    const authorized = body.setFlags !== 0 || (line.authorized && body.clearFlags === 0);
    layer.putTrustline(holder, { ...line, authorized });
    return opResult.setTrustLineFlags('setTrustLineFlagsSuccess');
  },
};
