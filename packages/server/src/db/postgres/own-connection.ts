import type { Client } from "pg";

/**
 * Opens a connection to PostgreSQL beside the pool, for what belongs to one and
 * ends with it: locks and `listen`.
 * @param name by which operators see it
 * @param prepare runs before anybody has it; where it fails, there is no connection
 * @param onBroken called once, where the connection breaks after that
 * @throws whatever connecting or `prepare` threw
 */
export async function openOwnConnection(
  url: string,
  name: string,
  prepare: (client: Client) => Promise<unknown>,
  onBroken: () => void,
  { queryTimeoutMs }: { readonly queryTimeoutMs?: number } = {},
): Promise<Client> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    ...(queryTimeoutMs !== undefined && { query_timeout: queryTimeoutMs }),
  });
  let isInUse = false;
  // An error is told of while connecting and after; only the latter is news.
  client.on("error", () => {
    if (isInUse) onBroken();
    isInUse = false;
  });
  try {
    await client.connect();
    await prepare(client);
  } catch (error) {
    // Why it did not come about is the news, not that it cannot be ended either.
    await client.end().catch(() => {});
    throw error;
  }
  isInUse = true;
  return client;
}
