import { randomBytes } from "node:crypto";
import { watchAnswers, watchedLog } from "../server/answer-watch.ts";
import { testCredentials } from "../server/credentials.ts";
import { openTestDatabase, type DatabaseKind } from "../server/databases.ts";
import { compose } from "../../../src/compose/server.ts";
import { readConfig } from "../../../src/config/config.ts";
import { listen } from "../../../src/http/listen.ts";
import { systemClock } from "../../../src/lib/time/clock.ts";
import { listRoutes } from "../server/routes.ts";
import { resolveLocalHost } from "../server/resolve-host.ts";
import { findFreePort } from "../../../../../scripts/testing/free-port.ts";

export type PagesServer = Awaited<ReturnType<typeof startPagesServer>>;

/** The whole server on loopback, without its worker: pages need none. */
export async function startPagesServer(
  settings: {
    readonly database?: DatabaseKind;
    readonly registration?: "open" | "approval" | "closed";
    readonly protocols?: string;
    /** Has it a mail server? Nothing is sent there without a worker. */
    readonly hasMail?: boolean;
    /** Does it serve the page of all components? */
    readonly hasKitPage?: boolean;
  } = {},
) {
  const { database = "sqlite", registration, protocols, hasMail } = settings;
  const { hasKitPage = false } = settings;
  const port = await findFreePort();
  const { config } = readConfig(
    {
      KITH_PORT: String(port),
      KITH_RATE_LIMITS: "off",
      KITH_REGISTRATION: registration,
      KITH_PROTOCOLS: protocols,
      ...(hasMail && { KITH_SMTP_URL: "smtp://127.0.0.1:9" }),
    },
    {},
  );
  const { db, close } = await openTestDatabase(database);
  const server = compose({
    config,
    db,
    clock: systemClock,
    log: watchedLog(),
    secretKey: randomBytes(32),
    version: "0",
    hasKitPage,
    resolveHost: resolveLocalHost,
    credentials: testCredentials,
  });
  const app = await server.createApp();
  watchAnswers(app);
  const listeners = await listen(app, config.bind, port);
  return {
    ...server.features,
    baseUrl: config.baseUrl,
    host: config.baseHost,
    listRoutes: () => listRoutes(app),
    close: async () => {
      await Promise.all([listeners.close(3_000), app.close()]);
      await server.close();
      await close();
    },
  };
}
