// The secret keys of a business in one mode. A person creates a key with a name and a scope, and sees it once. A key can be
// revoked immediately, or replaced by a new key while both are valid for some time.
import { Button, Switch } from '@mantine/core';
import { useState } from 'react';
import type { IssueKeyAnswer, Key } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import { SecretOnce } from '../../../components/dialogs.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Facts, Loading, Notice, Page, Section } from '../../../components/page.tsx';
import { Id, useNow } from '../../../components/values.tsx';
import { useBusinessLocation } from '../../../layout/location.ts';
import styles from '../integration.module.css';
import { CreateKey, RenameKey, RevokeKey, RollKey } from './dialogs.tsx';
import { type KeyAction, KeyTable, stateOf, useKeys, useMayManage } from './table.tsx';

export default function KeysPage() {
  const { mode } = useBusinessLocation();
  const [doing, setDoing] = useState<KeyAction | null>(null);
  const [issued, setIssued] = useState<IssueKeyAnswer | null>(null);
  const mayManage = useMayManage();
  const close = () => setDoing(null);
  const show = (made: IssueKeyAnswer) => {
    close();
    setIssued(made);
  };
  const create = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setDoing({ kind: 'create' })}>
      Create {mode} key
    </Button>
  );
  return (
    <Page
      title="API keys"
      lead={`Your servers send a secret key in the svc-sec-key header. These are your ${mode} keys.`}
      actions={mayManage ? create : undefined}
    >
      {!mayManage && mode === 'live' && <Notice>Only owners can create and change live keys.</Notice>}
      <KeyList onDo={setDoing} mayManage={mayManage} create={create} />
      <OwnIds />
      {doing?.kind === 'create' && <CreateKey onClose={close} onIssued={show} />}
      {doing?.kind === 'rename' && <RenameKey apiKey={doing.key} onClose={close} />}
      {doing?.kind === 'roll' && <RollKey apiKey={doing.key} onClose={close} onIssued={show} />}
      {doing?.kind === 'revoke' && <RevokeKey apiKey={doing.key} onClose={close} />}
      <SecretOnce
        title={`Your new ${mode} key`}
        secret={issued?.secret_key ?? null}
        onStored={() => setIssued(null)}
      >
        <p>
          Store it with your server’s secrets, for example in an environment variable. Never put it in a web
          page or an app: anyone who has it can act for your business.
        </p>
      </SecretOnce>
    </Page>
  );
}

interface ListProps {
  readonly onDo: (doing: KeyAction) => void;
  readonly mayManage: boolean;
  readonly create: React.ReactNode;
}

function KeyList({ onDo, mayManage, create }: ListProps) {
  const { mode } = useBusinessLocation();
  const keys = useKeys();
  const nowMs = useNow();
  const [withEnded, setWithEnded] = useState(false);
  const ofMode = keys.data?.keys.filter((key) => key.mode === mode).toReversed();
  const isInactive = (key: Key) => ['ended', 'revoked'].includes(stateOf(key, nowMs));
  const ended = ofMode?.filter(isInactive).length ?? 0;
  const rows = withEnded ? ofMode : ofMode?.filter((key) => !isInactive(key));
  return (
    <Section
      bare
      title={mode === 'test' ? 'Test keys' : 'Live keys'}
      actions={
        ended > 0 && (
          <Switch
            label={`Show ${ended} inactive ${ended === 1 ? 'key' : 'keys'}`}
            checked={withEnded}
            onChange={(event) => setWithEnded(event.currentTarget.checked)}
          />
        )
      }
    >
      <KeyTable
        rows={rows}
        error={keys.error}
        retry={() => void keys.refetch()}
        onDo={mayManage ? onDo : undefined}
        create={mayManage ? create : undefined}
      />
    </Section>
  );
}

function OwnIds() {
  const { params } = useBusinessLocation();
  const { data } = useRead('/businesses/{business_id}', { params });
  return (
    <Section
      title="Request identifiers"
      lead="Send these in the body of every request that creates a transaction."
    >
      {data === undefined ? (
        <Loading lines={2} />
      ) : (
        <div className={styles.narrow}>
          <Facts
            facts={[
              {
                label: 'business_id',
                value: <Id value={data.business_id} label="business_id" keep={false} />,
              },
              { label: 'link_tag', value: <Id value={data.link_tag} label="link_tag" keep={false} /> },
            ]}
          />
        </div>
      )}
    </Section>
  );
}
