// A connection, or a transaction on one: what the reads of a reconciliation need of either.
import type pg from 'pg';

export interface Client {
  query<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>>;
}
