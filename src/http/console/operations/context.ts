// What renderers of the operator's pages need besides the record: the decimals of tokens, and the names of businesses.
import { checkableAssets } from '../../../app/ledger/check-ledger.ts';
import type { ConsoleDeps } from '../deps.ts';
import type { SubjectContext } from './render-subject.ts';

export async function contextOf(
  { networks, operations }: Pick<ConsoleDeps, 'networks' | 'operations'>,
  businessIds: readonly (string | null)[],
): Promise<SubjectContext> {
  const ids = [...new Set(businessIds.filter((id) => id !== null))];
  const businessNames = ids.length === 0 ? new Map() : await operations.businessNames(ids);
  return { decimals: checkableAssets(networks), businessNames };
}
