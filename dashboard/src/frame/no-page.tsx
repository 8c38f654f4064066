// An address that leads to nothing that this person may see.
import { useSession } from '../api/session.ts';
import { TextLink } from '../parts/link.tsx';
import { Empty } from '../parts/message.tsx';
import { Page } from '../parts/page.tsx';

export function NoPage() {
  const { data } = useSession();
  return (
    <main>
      <Page title="There is no such page">
        <Empty icon="search" title="Nothing to show at this address">
          It does not exist, or it belongs to a business that you are not a member of.{' '}
          <TextLink to={data ? '/app' : '/app/sign-in'}>
            {data ? 'Go to your first page' : 'Sign in'}
          </TextLink>
        </Empty>
      </Page>
    </main>
  );
}
