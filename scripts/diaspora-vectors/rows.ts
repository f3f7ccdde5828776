import type { Entity } from "@kith/diaspora";
import type { sql } from "kysely";
import type { Home } from "./home.ts";
import { differs } from "./kinds/pure.ts";

export type Row = Readonly<Record<string, unknown>>;

/** A message that was accepted, and what came of it. */
export type Accepted = {
  readonly home: Home;
  readonly entity: Entity;
  /** Handle of who signed the envelope. */
  readonly sender: string;
  /** Handle of the person whose endpoint it came to; for private ones. */
  readonly owner: string | undefined;
  /** What the server noted of the message. */
  readonly outcome: string;
};

/** The first row that a query finds. */
export async function find(
  { home }: Accepted,
  query: ReturnType<typeof sql<Row>>,
): Promise<Row | undefined> {
  const { rows } = await query.execute(home.db.read);
  return rows[0];
}

/** Compares what is stored with what is to be; numbers are booleans in one of the databases. */
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

/** The time as it is stored, of one that was readable and is over: nothing is later than its receipt. */
export function timeOf({ home }: Accepted, text: string | undefined): Row {
  const time = text === undefined ? NaN : Date.parse(text);
  if (Number.isNaN(time) || time > home.clock.now().getTime()) return {};
  return { created_at: new Date(Math.max(time, 0)).toISOString() };
}
