// One API request of the business, its response, and a terminal command that sends the request again.
import { CloseButton } from '@mantine/core';
import type { RequestDetail } from '../../../api/console-types.ts';
import { CodeBlock } from '../../../components/code-block.tsx';
import type { Tone } from '../../../components/format.ts';
import { Facts, Failure, Loading } from '../../../components/page.tsx';
import { Id, State, Time } from '../../../components/values.tsx';
import { useBusinessRole } from '../../../layout/location.ts';
import styles from '../integration.module.css';
import { useKeyNames, useRequest } from './data.ts';

interface PanelProps {
  readonly id: string;
  /** If absent, the surrounding component has the close button. */
  readonly onClose?: () => void;
}

export function RequestPanel({ id, onClose }: PanelProps) {
  const { request, error, refetch } = useRequest(id);
  return (
    <>
      <div className={styles.panelHead}>
        <h2>{request === undefined ? 'Request' : `${request.method} ${pathOf(request)}`}</h2>
        {onClose !== undefined && <CloseButton aria-label="Close request" onClick={onClose} />}
      </div>
      {request !== undefined ? (
        <Detail request={request} />
      ) : error === null ? (
        <Loading lines={8} />
      ) : (
        <Failure error={error} retry={() => void refetch()} />
      )}
    </>
  );
}

function Detail({ request }: { readonly request: RequestDetail }) {
  const names = useKeyNames(useBusinessRole() !== 'viewer');
  const { body } = request;
  return (
    <div className="column flush">
      <Facts
        facts={[
          { label: 'Status', value: <StatusState status={request.status} /> },
          request.code !== null && {
            label: 'Code',
            value: <Id value={request.code} label="code" keep={false} />,
          },
          { label: 'Request id', value: <Id value={request.request_id} label="request id" keep={false} /> },
          { label: 'Received', value: <Time at={request.at} /> },
          { label: 'Duration', value: `${request.duration_ms} ms` },
          { label: 'Key', value: names.get(request.key_id) ?? <Id value={request.key_id} label="key id" /> },
        ]}
      />
      {body !== null && (
        <CodeBlock
          title={request.body_truncated ? 'Body (truncated)' : 'Body (secrets masked)'}
          code={textOf(body)}
          label="body"
        />
      )}
      <CodeBlock title="Resend with curl" code={curlOf(request)} label="curl command" />
    </div>
  );
}

function pathOf({ path }: RequestDetail): string {
  return path.split('?')[0] ?? path;
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body, null, 2);
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function curlOf({ method, path, body, body_truncated }: RequestDetail): string {
  const lines = [
    `curl -X ${method} ${quoted(window.location.origin + path)}`,
    `-H "svc-sec-key: $SLIPROAD_KEY"`,
  ];
  if (body !== null && !body_truncated)
    lines.push(`-H 'content-type: application/json'`, `-d ${quoted(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}

function toneOf(status: number): Tone {
  if (status < 400) return 'completed';
  return status < 500 ? 'person' : 'failed';
}

export function StatusState({ status }: { readonly status: number }) {
  return <State state={String(status)} tone={toneOf(status)} label={String(status)} />;
}
