// Whether passkeys work at the address of this page, and where they do.
import { namedAddress } from '../../../api/passkeys.ts';
import { Notice } from '../../../parts/message.tsx';

export function PasskeyPlace() {
  const named = namedAddress();
  if (named === null) return null;
  return (
    <Notice tone="person">
      Browsers know no passkeys at a bare address.{' '}
      <a className="text-link" href={named}>
        Open this page at its name
      </a>{' '}
      and sign in there.
    </Notice>
  );
}
