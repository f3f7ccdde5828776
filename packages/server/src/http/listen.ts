import { createServer, type Server } from "node:http";
import type { FastifyInstance } from "fastify";
import { codeOf, OperatorError } from "../lib/errors.ts";

const STOP_WITHIN_MS = 3_000;

/** An address is unavailable; the message explains why to an operator. */
class CannotListen extends OperatorError {
  constructor(message: string) {
    super(message);
    this.name = "CannotListen";
  }
}

/**
 * Listens on every address. An address that the machine lacks (no IPv6, say) is
 * left out if there are others.
 * @returns a function that closes the additional listeners; the first closes
 *   with the app. Requests that are not answered within a few seconds are cut
 *   off
 * @throws {CannotListen}
 */
export async function listen(
  app: FastifyInstance,
  addresses: readonly string[],
  port: number,
): Promise<() => Promise<void>> {
  const [first = "127.0.0.1", ...others] = addresses;
  await app.ready();
  const servers: Server[] = [];
  try {
    await open(app.server, first, port);
    for (const address of others) {
      const server = createServer((request, response) => {
        app.routing(request, response);
      });
      server.requestTimeout = app.server.requestTimeout;
      if (await openWherePresent(server, address, port)) servers.push(server);
    }
  } catch (error) {
    for (const server of servers) server.close();
    throw new CannotListen(explain(error, first, port));
  }
  return async () => {
    const timer = setTimeout(() => {
      for (const server of [app.server, ...servers])
        server.closeAllConnections();
    }, STOP_WITHIN_MS);
    await Promise.all([closed(app.server), ...servers.map(close)]);
    clearTimeout(timer);
  };
}

function open(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, ipv6Only: true }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

const ABSENT = new Set(["EADDRNOTAVAIL", "EAFNOSUPPORT"]);

async function openWherePresent(
  server: Server,
  host: string,
  port: number,
): Promise<boolean> {
  try {
    await open(server, host, port);
    return true;
  } catch (error) {
    if (ABSENT.has(codeOf(error) ?? "")) return false;
    throw error;
  }
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    if (server.listening) server.once("close", resolve);
    else resolve();
  });
}

function explain(error: unknown, host: string, port: number): string {
  switch (codeOf(error)) {
    case "EADDRINUSE":
      return `Port ${port} is in use by another program. Stop that one, or choose another port (KITH_PORT).`;
    case "EACCES":
      return `Port ${port} may not be opened by this user. Choose one from 1024 (KITH_PORT).`;
    case "EADDRNOTAVAIL":
      return `This machine does not have the address ${host} (KITH_BIND).`;
    default:
      return `Port ${port} cannot be opened: ${codeOf(error) ?? String(error)}.`;
  }
}
