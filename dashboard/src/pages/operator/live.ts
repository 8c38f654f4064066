// Pages that read again when the service hints that their subject changed. Only reads that show no data of businesses follow every
// hint: the others are in the audit log each time.
import { useRefresh } from '../../api/query.ts';
import { useLive } from '../../api/use-live.ts';

type Subject = 'ledger' | 'proposals' | 'stops' | 'rates';

/** `prefixes`: the reads that are old when one of the subjects changed. */
export function useHints(subjects: readonly Subject[], ...prefixes: readonly string[]): void {
  const refresh = useRefresh();
  useLive('/operator/stream', ['changed'], (event) => {
    const hint = event?.data as { readonly subjects?: readonly string[] } | null | undefined;
    // Without a hint it was connected again: anything may have changed.
    if (hint?.subjects === undefined || subjects.some((each) => hint.subjects!.includes(each)))
      void refresh(...prefixes);
  });
}
