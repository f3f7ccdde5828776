import type { FastifyInstance } from "fastify";
import type { DatabaseAway } from "../../lib/errors.ts";
import type { Log } from "../../observability/log.ts";

const EVERY_MS = 10_000;

declare module "fastify" {
  interface FastifyInstance {
    /** Counts a request that was refused because the database is away. */
    noteOutage: (error: DatabaseAway) => void;
  }
}

/** Logs the first request that a database which is away lets fail, and then how many more there are, from time to time. */
export function logOutages(app: FastifyInstance, log: Log): void {
  let requests = 0;
  let timer: NodeJS.Timeout | undefined;
  let reason = "";
  const report = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (requests === 0) return;
    log.error(
      { requests, error: reason },
      "The database cannot be reached: requests are answered with 503",
    );
    requests = 0;
    timer = setTimeout(report, EVERY_MS).unref();
  };
  app.decorate("noteOutage", (error: DatabaseAway) => {
    requests += 1;
    reason = error.message;
    if (!timer) report();
  });
  app.addHook("onClose", async () => report());
}
