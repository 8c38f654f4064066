// The routing table. It defines which payouts each rail may get, and with which priority and share.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { del } from '../../../api/calls.ts';
import type { ListRailsAnswer, Route } from '../../../api/console-types.ts';
import { type Column, DataTable, RowMenu } from '../../../components/data-table.tsx';
import { FormDialog } from '../../../components/dialogs.tsx';
import { naira } from '../../../components/format.ts';
import { Icon } from '../../../components/icon.tsx';
import { Empty, Section } from '../../../components/page.tsx';
import { Money, State } from '../../../components/values.tsx';
import { useOperatorLocation } from '../../../layout/location.ts';
import { ApprovalHint, useMay } from '../rules.tsx';
import { CHANGE } from './dialogs.tsx';
import styles from './rails.module.css';
import { RouteDialog } from './route-dialog.tsx';

type Dialog =
  | { readonly kind: 'edit'; readonly route: Route | null }
  | { readonly kind: 'remove'; readonly route: Route }
  | null;

export function Routing({ data }: { readonly data: ListRailsAnswer }) {
  const [dialog, setDialog] = useState<Dialog>(null);
  const mayPropose = useMay('propose');
  const close = () => setDialog(null);
  const add = (
    <Button
      size="xs"
      variant="default"
      leftSection={<Icon name="plus" size={14} />}
      onClick={() => setDialog({ kind: 'edit', route: null })}
    >
      Add route
    </Button>
  );
  return (
    <Section
      title="Routing table"
      lead="The matching route with the lowest priority number wins; routes of equal priority share by weight. Rails that are paused, over their cap or short of funds are skipped."
      actions={mayPropose && add}
      bare
    >
      <DataTable
        caption="Routes"
        columns={[...COLUMNS, ...(mayPropose ? [menuOf(setDialog)] : [])]}
        rows={data.routes.toSorted((a, b) => a.priority - b.priority || b.weight - a.weight)}
        rowKey={({ route_id: id }) => String(id)}
        empty={
          <Empty icon="link" title="No routes yet">
            All rails are used, in the order of the banks file. Once you add a route, only rails with a route
            get payouts.
          </Empty>
        }
      />
      {dialog?.kind === 'edit' && (
        <RouteDialog
          given={dialog.route}
          rails={data.rails.map(({ rail }) => rail)}
          needsTwo={data.needs_two}
          onClose={close}
        />
      )}
      {dialog?.kind === 'remove' && (
        <RemoveRoute
          route={dialog.route}
          isLast={data.routes.length === 1}
          needsTwo={data.needs_two}
          onClose={close}
        />
      )}
    </Section>
  );
}

const COLUMNS: readonly Column<Route>[] = [
  { title: 'Priority', from: 'sm', width: 80, cell: ({ priority }) => priority },
  { title: 'Rail', from: 'sm', cell: (route) => <RailName route={route} /> },
  {
    ...{ title: 'Route', until: 'sm' },
    cell: (route) => (
      <span className={styles.route}>
        <RailName route={route} />
        <span className="quiet">{amountRangeText(route)}</span>
        <span className="quiet">{bankNamesText(route.banks)}</span>
        <span className="quiet">
          Priority {route.priority}, {route.weight === 0 ? 'fallback' : `weight ${route.weight}`}
        </span>
      </span>
    ),
  },
  { title: 'Amounts', from: 'sm', cell: (route) => amountRangeText(route) },
  {
    title: 'Banks',
    from: 'md',
    cell: ({ banks }) => <span className={styles.wrap}>{bankNamesText(banks)}</span>,
  },
  { title: 'Weight', from: 'sm', align: 'right', cell: ({ weight }) => (weight === 0 ? 'fallback' : weight) },
  {
    ...{ title: 'Cost', from: 'md', align: 'right' },
    cell: ({ cost }) => (cost === null ? <span className="quiet">unknown</span> : <Money amount={cost} />),
  },
];

function RailName({ route: { rail, enabled } }: { readonly route: Route }) {
  return (
    <span className={styles.rail}>
      {rail} {!enabled && <State state="disabled" />}
    </span>
  );
}

function amountRangeText({ min_amount: min, max_amount: max }: Route): string {
  if (min === null && max === null) return 'All amounts';
  if (max === null) return `From ${naira(min!)}`;
  return min === null ? `Up to ${naira(max)}` : `${naira(min)} to ${naira(max)}`;
}

const NAMED = 3;

function bankNamesText(banks: Route['banks']): string {
  if (banks === null) return 'All banks';
  const named = banks
    .slice(0, NAMED)
    .map(({ name }) => name)
    .join(', ');
  return banks.length > NAMED ? `${named} and ${banks.length - NAMED} more` : named;
}

function menuOf(open: (dialog: Dialog) => void): Column<Route> {
  return {
    ...{ title: 'Actions', align: 'right', width: 80 },
    cell: (route) => (
      <RowMenu
        label={`Actions for route ${route.route_id} of ${route.rail}`}
        actions={[
          { label: 'Edit route', icon: 'edit', run: () => open({ kind: 'edit', route }) },
          { label: 'Remove route', icon: 'trash', danger: true, run: () => open({ kind: 'remove', route }) },
        ]}
      />
    ),
  };
}

interface RemoveProps {
  readonly route: Route;
  readonly isLast: boolean;
  readonly needsTwo: boolean;
  readonly onClose: () => void;
}

function RemoveRoute({ route, isLast, needsTwo, onClose }: RemoveProps) {
  const { mode } = useOperatorLocation();
  const params = { mode, route_id: String(route.route_id) };
  return (
    <FormDialog
      {...CHANGE}
      onClose={onClose}
      title="Remove route"
      confirm={needsTwo ? 'Propose to remove' : 'Remove route'}
      danger
      run={() => del('/operator/rail-routes/{mode}/{route_id}', { params })}
    >
      <p>
        {route.rail}, priority {route.priority}: {amountRangeText(route)}, {bankNamesText(route.banks)}.
      </p>
      <p>
        {isLast
          ? 'This is the last route. Without it, all rails are used in the order of the banks file.'
          : 'Payouts without another matching route wait for one.'}
      </p>
      <ApprovalHint needsTwo={needsTwo} />
    </FormDialog>
  );
}
