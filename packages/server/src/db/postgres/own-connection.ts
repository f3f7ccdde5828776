import type { Client } from "pg";
import { breakWhenStalled } from "./stalled-connections.ts";

/** A machine or a network that is gone is noticed within half a minute, not after two hours. */
export const KEEP_ALIVE = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;

type OwnConnectionOptions = {
  readonly queryTimeoutMs?: number;
  /** Does it wait for notices? It is tried from time to time then, whether it still hears them. */
  readonly isListening?: boolean;
};

/**
 * Opens a connection to PostgreSQL outside of the pool, for session state:
 * locks and `listen`.
 * @param name that operators see
 * @param prepare runs before the connection is returned; if it fails, the
 *   connection is closed
 * @param onBroken called once if the connection breaks after that
 * @throws the error of connecting or `prepare`
 */
export async function openOwnConnection(
  url: string,
  name: string,
  prepare: (client: Client) => Promise<unknown>,
  onBroken: () => void,
  { queryTimeoutMs, isListening = false }: OwnConnectionOptions = {},
): Promise<Client> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: 10_000,
    ...KEEP_ALIVE,
    ...(queryTimeoutMs !== undefined && { query_timeout: queryTimeoutMs }),
  });
  let isInUse = false;
  // Errors are emitted while connecting and after; only the latter are handled
  // here.
  client.on("error", () => {
    if (isInUse) onBroken();
    isInUse = false;
  });
  try {
    await client.connect();
    breakWhenStalled(client, url, { isListening });
    await prepare(client);
  } catch (error) {
    // The first error is the cause; a failure to disconnect does not matter.
    await client.end().catch(() => {});
    throw error;
  }
  isInUse = true;
  return client;
}
