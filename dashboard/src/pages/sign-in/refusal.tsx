// Why the service refused, in one line; the id of the request where the operator has to look.
import { failureOf } from '../../api/failure.ts';
import { Id } from '../../parts/id.tsx';
import { Notice } from '../../parts/message.tsx';

export function Refusal({ error }: { readonly error: unknown }) {
  const { message, requestId, status } = failureOf(error);
  return (
    <Notice tone="failed">
      {message}
      {status >= 500 && requestId !== null && (
        <>
          <br />
          Request <Id value={requestId} label="request id" keep={false} />
        </>
      )}
    </Notice>
  );
}
