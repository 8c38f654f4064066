// The operator's pages follow changes: a hint of the service makes them read again what they show.
import { useRefresh } from '../../../api/query.ts';
import { useLive } from '../../../api/use-live.ts';

/** `prefixes`: the reads of this page. */
export function useChanges(...prefixes: readonly string[]): void {
  const refresh = useRefresh();
  useLive('/operator/stream', ['changed'], () => void refresh(...prefixes));
}
