// The progress of an upload: the share that was sent, and the rows and the share that the service has read.
import { Progress } from '@mantine/core';
import { counted } from '../../../components/format.ts';
import type { Mode } from '../../../layout/location.ts';
import { type OfAccount, useFileBeingRead } from './data.ts';

interface Props {
  readonly mode: Mode;
  readonly of: OfAccount | null;
  /** In percent. */
  readonly sent: number;
}

export function ReadingProgress({ mode, of, sent }: Props) {
  const file = useFileBeingRead(mode, of);
  if (file === undefined)
    return (
      <>
        <Progress value={sent} animated={sent === 100} aria-label="Upload" />
        <p className="quiet">{sent < 100 ? `${sent} % uploaded` : 'Uploaded. Reading the file …'}</p>
      </>
    );
  const { bytes_read: read, bytes_total: total, rows_read: rows } = file;
  const share = total === null || total === 0 ? null : Math.min(100, Math.floor((100 * read) / total));
  return (
    <>
      <Progress value={share ?? 100} animated={share === null || share === 100} aria-label="Reading" />
      <p className="quiet">
        {share === null ? '' : `${share} % read, `}
        {counted(rows, 'row')}
        {sent < 100 && `, ${sent} % uploaded`}
      </p>
    </>
  );
}
