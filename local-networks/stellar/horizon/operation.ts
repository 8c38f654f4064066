// A closed operation in Horizon's format, with the fields of its kind.
import { StrKey, type xdr } from '@stellar/stellar-sdk';
import { accountId, accountRef, assetName, issuerOf } from '../envelope.ts';
import type { ClosedOperation } from '../history.ts';
import {
  accountFields,
  amountText,
  assetFields,
  type HorizonJson,
  linkTo,
  predicateFields,
  timeText,
} from './format.ts';
import { transactionRecord } from './transaction.ts';

const TYPES: Record<string, readonly [string, number]> = {
  createAccount: ['create_account', 0],
  payment: ['payment', 1],
  setOptions: ['set_options', 5],
  changeTrust: ['change_trust', 6],
  accountMerge: ['account_merge', 8],
  manageData: ['manage_data', 10],
  bumpSequence: ['bump_sequence', 11],
  createClaimableBalance: ['create_claimable_balance', 14],
  claimClaimableBalance: ['claim_claimable_balance', 15],
  setTrustLineFlags: ['set_trust_line_flags', 21],
};

const FLAGS: readonly [number, string][] = [
  [1, 'auth_required_flag'],
  [2, 'auth_revocable_flag'],
  [4, 'auth_immutable_flag'],
  [8, 'auth_clawback_enabled_flag'],
];

function flagFields(name: string, flags: number | null): HorizonJson {
  const set = FLAGS.filter(([bit]) => ((flags ?? 0) & bit) !== 0);
  if (set.length === 0) return {};
  return { [name]: set.map(([bit]) => bit), [`${name}_s`]: set.map(([, word]) => word) };
}

function optionFields(body: xdr.SetOptionsOp): HorizonJson {
  const fields: HorizonJson = {
    ...flagFields('set_flags', body.setFlags),
    ...flagFields('clear_flags', body.clearFlags),
  };
  const put = (name: string, value: unknown) => {
    if (value !== null && value !== undefined) fields[name] = value;
  };
  put('master_key_weight', body.masterWeight);
  put('low_threshold', body.lowThreshold);
  put('med_threshold', body.medThreshold);
  put('high_threshold', body.highThreshold);
  put('home_domain', body.homeDomain?.toString());
  if (body.signer?.key.type === 'signerKeyTypeEd25519') {
    put('signer_key', StrKey.encodeEd25519PublicKey(body.signer.key.ed25519.toBytes()));
    put('signer_weight', body.signer.weight);
  }
  return fields;
}

function trustFields(body: xdr.ChangeTrustOp, trustor: string): HorizonJson {
  if (body.line.type === 'assetTypePoolShare') return {};
  const asset = assetName(body.line);
  return { ...assetFields(asset), limit: amountText(body.limit), trustee: issuerOf(asset), trustor };
}

function detailFields({ operation, transaction }: ClosedOperation): HorizonJson {
  const { body } = operation;
  const source = operation.source ?? transaction.envelope.inner.source;
  switch (body.type) {
    case 'createAccount': {
      const { destination, startingBalance } = body.createAccountOp;
      const account = accountId(destination);
      return { starting_balance: amountText(startingBalance), ...accountFields('funder', source), account };
    }
    case 'payment': {
      const { asset, destination, amount: paid } = body.paymentOp;
      return {
        ...assetFields(assetName(asset)),
        ...accountFields('from', source),
        ...accountFields('to', accountRef(destination)),
        amount: amountText(paid),
      };
    }
    case 'accountMerge':
      return { ...accountFields('account', source), ...accountFields('into', accountRef(body.destination)) };
    case 'changeTrust':
      return trustFields(body.changeTrustOp, source.id);
    case 'setTrustLineFlags': {
      const { asset, trustor, setFlags, clearFlags } = body.setTrustLineFlagsOp;
      const words = (name: string, flags: number) =>
        flags === 0 ? {} : { [name]: [1], [`${name}_s`]: ['authorized'] };
      return {
        ...assetFields(assetName(asset)),
        trustor: accountId(trustor),
        ...words('set_flags', setFlags),
        ...words('clear_flags', clearFlags),
      };
    }
    case 'setOptions':
      return optionFields(body.setOptionsOp);
    case 'manageData': {
      const { dataName, dataValue } = body.manageDataOp;
      const value = dataValue === null ? null : Buffer.from(dataValue.toBytes()).toString('base64');
      return { name: dataName.toString(), value };
    }
    case 'bumpSequence':
      return { bump_to: body.bumpSequenceOp.bumpTo.toString() };
    case 'createClaimableBalance': {
      const { asset, amount: set, claimants } = body.createClaimableBalanceOp;
      const who = claimants.map(({ v0 }) => ({
        destination: accountId(v0.destination),
        predicate: predicateFields(v0.predicate),
      }));
      return { asset: assetName(asset), amount: amountText(set), claimants: who };
    }
    case 'claimClaimableBalance': {
      const id = body.claimClaimableBalanceOp.balanceId.toXdr('hex');
      return { balance_id: id, ...accountFields('claimant', source) };
    }
    default:
      return {};
  }
}

export function operationRecord(
  base: string,
  closed: ClosedOperation,
  withTransaction: boolean,
): HorizonJson {
  const { operation, transaction } = closed;
  const id = closed.toid.toString();
  const hash = transaction.envelope.hashHex;
  const [type, typeI] = TYPES[operation.body.type] ?? [operation.body.type, -1];
  const source = operation.source ?? transaction.envelope.inner.source;
  return {
    _links: {
      self: linkTo(base, `/operations/${id}`),
      transaction: linkTo(base, `/transactions/${hash}`),
      effects: linkTo(base, `/operations/${id}/effects`),
      succeeds: linkTo(base, `/effects?order=desc&cursor=${id}`),
      precedes: linkTo(base, `/effects?order=asc&cursor=${id}`),
    },
    id,
    paging_token: id,
    transaction_successful: transaction.successful,
    ...accountFields('source_account', source),
    type,
    type_i: typeI,
    created_at: timeText(transaction.closeTime),
    transaction_hash: hash,
    ...(withTransaction ? { transaction: transactionRecord(base, transaction) } : {}),
    ...detailFields(closed),
  };
}
