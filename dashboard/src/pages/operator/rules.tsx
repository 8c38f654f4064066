// Rules for all pages of the operator: who may request what, who must approve it, and when a page refreshes its reads.
import { useRefresh } from '../../api/query.ts';
import { type OperatorRole, useSignedIn } from '../../api/session.ts';
import { useLive } from '../../api/use-live.ts';

/** The service decides what a person may do. The pages only hide the buttons whose actions the service would refuse. */
const RIGHTS = {
  propose: ['admin', 'reviewer'],
  approve: ['admin', 'approver'],
  stop: ['admin', 'reviewer', 'approver'],
  reconcile: ['admin', 'reviewer', 'approver'],
  export: ['admin', 'approver', 'auditor'],
  audit: ['admin', 'auditor'],
} as const satisfies Readonly<Record<string, readonly OperatorRole[]>>;

export function useMay(right: keyof typeof RIGHTS): boolean {
  const role = useSignedIn().person.operator_role;
  return role !== null && (RIGHTS[right] as readonly OperatorRole[]).includes(role);
}

/** Shown to people who can see the actions of a record but may not propose one. */ export function CannotPropose({
  className,
}: {
  readonly className: string | undefined;
}) {
  const mayApprove = useMay('approve');
  return (
    <p className={className}>
      {' '}
      {mayApprove
        ? 'You can approve or decline proposals, but not make them.'
        : 'Your role is read-only. Only a reviewer or an admin can propose.'}{' '}
    </p>
  );
} /** The message after a change: `done`, unless the change waits for a second person. */
export const doneOrProposed = (done: string) => (answer: { readonly done: boolean }) =>
  answer.done ? done : 'Proposed. It takes effect when another person approves it under Proposals.';

export function ApprovalHint({ needsTwo }: { readonly needsTwo: boolean }) {
  return (
    <p>
      {needsTwo
        ? 'A second person must approve it with their second factor. Nothing changes until then.'
        : 'It takes effect immediately.'}
    </p>
  );
}

/** Refreshes the page when the service sends a hint that data has changed. `prefixes` lists the paths of the page's reads. */
export function useRefreshOnChanges(...prefixes: readonly string[]): void {
  const refresh = useRefresh();
  useLive('/operator/stream', ['changed'], () => void refresh(...prefixes));
}

type Subject = 'ledger' | 'proposals' | 'stops' | 'rates';

/**
 * Use this only for reads that show no data of businesses, because every read of such data creates an audit entry. `prefixes`
 * lists the reads that are stale when one of the subjects has changed.
 */
export function useRefreshOnHints(subjects: readonly Subject[], ...prefixes: readonly string[]): void {
  const refresh = useRefresh();
  useLive('/operator/stream', ['changed'], (event) => {
    const hint = event?.data as { readonly subjects?: readonly string[] } | null | undefined;
    // Without a hint, the stream was reconnected, so any data may have changed.
    if (hint?.subjects === undefined || subjects.some((each) => hint.subjects!.includes(each)))
      void refresh(...prefixes);
  });
}
