import type { Entity } from "@kith/diaspora";
import type { sql } from "kysely";
import type { Home } from "./home.ts";
import { differs } from "./kinds/pure.ts";

export type Row = Readonly<Record<string, unknown>>;

/** An accepted message, and its outcome. */
export type Accepted = {
  readonly home: Home;
  readonly entity: Entity;
  /** Handle of the envelope's signer. */
  readonly sender: string;
  /** Handle of the recipient; for private endpoints. */
  readonly owner: string | undefined;
  /** The server's record of the message. */
  readonly outcome: string;
};

/** The first row of a query. */
export async function find(
  { home }: Accepted,
  query: ReturnType<typeof sql<Row>>,
): Promise<Row | undefined> {
  const { rows } = await query.execute(home.db.read);
  return rows[0];
}

/** Compares stored with expected values; one of the databases stores booleans as numbers. */
export function compare(
  what: string,
  row: Row | undefined,
  expected: Row,
): string | undefined {
  if (!row) return `no ${what} is stored`;
  for (const [name, value] of Object.entries(expected)) {
    const found = typeof value === "boolean" ? Boolean(row[name]) : row[name];
    const difference = differs(`${what}, ${name}`, value, [found]);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** The stored form of a readable past time: no time is later than its receipt. */
export function timeOf({ home }: Accepted, text: string | undefined): Row {
  const time = text === undefined ? NaN : Date.parse(text);
  if (Number.isNaN(time) || time > home.clock.now().getTime()) return {};
  return { created_at: new Date(Math.max(time, 0)).toISOString() };
}
