// A dense table. Its head stays visible, its rows are links, the arrow keys move between rows, and Enter opens a row. The table
// keeps its layout while it loads. An empty table explains what it will contain.
import { Button, Menu, Skeleton, UnstyledButton } from '@mantine/core';
import { Fragment, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import styles from './data-table.module.css';
import { Icon, type IconName } from './icon.tsx';
import { AppLink, useGo } from './link.tsx';
import { Failure } from './page.tsx';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'right';
  /** The column is hidden on screens below this width. A phone shows only the most important columns. */
  readonly from?: 'sm' | 'md' | 'lg';
  /** The column is shown only on screens below this width. It combines several columns of wide screens. */
  readonly until?: 'sm';
  readonly width?: number | string;
}

interface DataTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined means that the rows are still loading. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  readonly rowHref?: (row: Row) => string;
  readonly onRow?: (row: Row) => void;
  /** The content below the row, across all columns. Null means that the row is closed. `onRow` opens and closes the row. */
  readonly detail?: (row: Row) => ReactNode;
  readonly tinted?: (row: Row) => boolean;
  readonly error?: unknown;
  readonly retry?: () => void;
  readonly empty: ReactNode;
  readonly more?: (() => void) | undefined;
  readonly loadingMore?: boolean;
  readonly foot?: ReactNode;
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, error, retry, empty, more, loadingMore = false, foot } = props;
  if (error && rows === undefined) return <Failure error={error} {...(retry !== undefined && { retry })} />;
  return (
    <div className={styles.frame}>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <caption className="only-screen-reader">{caption}</caption>
          <thead>
            <tr>
              {columns.map(({ title, align, from, until, width }) => (
                <th
                  key={title}
                  scope="col"
                  data-align={align}
                  data-from={from}
                  data-until={until}
                  style={{ width }}
                >
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody onKeyDown={moveBetweenRows}>
            {rows === undefined ? <Placeholders columns={columns} /> : <Rows {...props} rows={rows} />}
          </tbody>
          {foot !== undefined && <tfoot>{foot}</tfoot>}
        </table>
      </div>
      {rows?.length === 0 && empty}
      {more !== undefined && (
        <div className={styles.more}>
          <Button variant="subtle" size="xs" onClick={more} loading={loadingMore}>
            Load more
          </Button>
        </div>
      )}
    </div>
  );
}

function Rows<Row>({ rows = [], columns, rowKey, rowHref, onRow, detail, tinted }: DataTableProps<Row>) {
  const go = useGo();
  const open = (event: MouseEvent<HTMLTableRowElement>, row: Row) => {
    // The row does not open when the person clicks a link or a button in it, or selects text.
    if ((event.target as Element).closest('a, button, input') !== null) return;
    if (window.getSelection()?.toString()) return;
    if (onRow !== undefined) onRow(row);
    else if (rowHref !== undefined) go(rowHref(row));
  };
  const clickable = rowHref !== undefined || onRow !== undefined;
  return rows.map((row) => {
    const below = detail?.(row) ?? null;
    const first = { row, rowHref, onRow, expanded: detail === undefined ? undefined : below !== null };
    return (
      <Fragment key={rowKey(row)}>
        {/* The first cell holds the link or button that the keyboard uses. */}
        <tr
          onClick={clickable ? (event) => open(event, row) : undefined}
          data-clickable={clickable || undefined}
          data-tinted={tinted?.(row) || undefined}
        >
          {columns.map(({ title, cell, align, from, until }, index) => (
            <td key={title} data-align={align} data-from={from} data-until={until}>
              {index === 0 ? <First {...first} content={cell(row)} /> : cell(row)}
            </td>
          ))}
        </tr>
        {below !== null && (
          <tr className={styles.detail}>
            <td colSpan={columns.length}>{below}</td>
          </tr>
        )}
      </Fragment>
    );
  });
}

interface FirstProps<Row> {
  readonly row: Row;
  readonly rowHref: ((row: Row) => string) | undefined;
  readonly onRow: ((row: Row) => void) | undefined;
  /** Undefined means that the row has no content to open. */
  readonly expanded: boolean | undefined;
  readonly content: ReactNode;
}

function First<Row>({ row, rowHref, onRow, expanded, content }: FirstProps<Row>) {
  if (rowHref !== undefined)
    return (
      <AppLink to={rowHref(row)} className={styles.open} data-row>
        {content}
      </AppLink>
    );
  if (onRow !== undefined)
    return (
      <button
        type="button"
        className={styles.open}
        data-row
        aria-expanded={expanded}
        onClick={() => onRow(row)}
      >
        {expanded !== undefined && (
          <span className={styles.turn} data-open={expanded || undefined}>
            <Icon name="chevron" size={14} />
          </span>
        )}
        {content}
      </button>
    );
  return content;
}

const PLACEHOLDERS = [0, 1, 2, 3, 4, 5];

function Placeholders<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  return PLACEHOLDERS.map((index) => (
    <tr key={index} aria-hidden>
      {columns.map(({ title, align, from, until }) => (
        <td key={title} data-align={align} data-from={from} data-until={until}>
          <Skeleton height={12} width={align === 'right' ? 80 : `${60 + ((index * 13) % 30)}%`} />
        </td>
      ))}
    </tr>
  ));
}

function moveBetweenRows(event: KeyboardEvent<HTMLTableSectionElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')];
  const at = links.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  event.preventDefault();
  links[at + step]?.focus();
}

export interface RowAction {
  readonly label: string;
  readonly icon: IconName;
  readonly danger?: boolean;
  readonly run: () => void;
}

export function RowMenu({
  label,
  actions,
}: {
  readonly label: string;
  readonly actions: readonly RowAction[];
}) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <UnstyledButton className={styles.menu} aria-label={label}>
          <Icon name="dots" size={20} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label: text, icon, danger = false, run }) => (
          <Menu.Item
            key={text}
            leftSection={<Icon name={icon} size={16} />}
            onClick={run}
            {...(danger && { color: 'red' })}
          >
            {text}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
