// What renderings need besides the record: the decimals of tokens, and the names of businesses.
import { checkableAssets } from '../../app/ledger/check-ledger.ts';
import type { DescribedNetworks } from '../../ports/network/network.ts';
import type { OperationsDesk } from '../../ports/operations/operations-desk.ts';
import type { SubjectContext } from './subjects.ts';

export interface ContextDeps {
  readonly networks: DescribedNetworks;
  readonly operations: Pick<OperationsDesk, 'businessNames'>;
}

export async function contextOf(
  { networks, operations }: ContextDeps,
  businessIds: readonly (string | null)[],
): Promise<SubjectContext> {
  const ids = [...new Set(businessIds.filter((id) => id !== null))];
  const businessNames = ids.length === 0 ? new Map() : await operations.businessNames(ids);
  return { decimals: checkableAssets(networks), businessNames };
}
