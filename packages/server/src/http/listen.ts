import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { codeOf, OperatorError } from "../lib/errors.ts";
import { answerUnparsed } from "./error-response.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Does each answer close its connection? */
    isLeaving: boolean;
  }
}

/** Open addresses. */
type Listeners = {
  /**
   * Waits until most clients have connections to other processes, so that none
   * finds its own closed. New ones are still answered.
   */
  readonly leave: () => Promise<void>;
  /**
   * Closes the additional listeners; the first closes with the app. Requests
   * that are not answered within the given time are cut off, and a later call
   * may shorten it.
   */
  readonly close: (withinMs: number) => Promise<void>;
};

const LEAVE_MS = 1_000;
/** How often a server that stops closes the connections that have become idle. */
const IDLE_EVERY_MS = 100;

/** An address is unavailable; the message explains why to an operator. */
class CannotListen extends OperatorError {
  constructor(message: string) {
    super(message);
    this.name = "CannotListen";
  }
}

/** Clients learn by it that their next request needs another connection. */
export function closeWhenLeaving(app: FastifyInstance): void {
  app.decorate("isLeaving", false);
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (app.isLeaving) reply.raw.shouldKeepAlive = false;
    done();
  });
}

/**
 * Listens on every address. An address that the machine lacks (no IPv6, say) is
 * left out if there are others.
 * @throws {CannotListen}
 */
export async function listen(
  app: FastifyInstance,
  addresses: readonly string[],
  port: number,
): Promise<Listeners> {
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
      server.on("clientError", (error: Error, socket: Socket) =>
        answerUnparsed(error, socket, app.log),
      );
      if (await openWherePresent(server, address, port)) servers.push(server);
    }
  } catch (error) {
    for (const server of servers) server.close();
    throw new CannotListen(explain(error, first, port));
  }
  const all = [app.server, ...servers];
  let closing: Promise<unknown> | undefined;
  const leave = async (): Promise<void> => {
    app.isLeaving = true;
    await sleep(LEAVE_MS);
  };
  const closeAll = async (withinMs: number): Promise<void> => {
    app.isLeaving = true;
    const limit = setTimeout(() => {
      for (const server of all) server.closeAllConnections();
    }, withinMs);
    // Clients that keep a connection open would otherwise be cut off at the end.
    const idle = setInterval(() => {
      for (const server of all) server.closeIdleConnections();
    }, IDLE_EVERY_MS);
    closing ??= Promise.all([closed(app.server), ...servers.map(close)]);
    await closing;
    clearTimeout(limit);
    clearInterval(idle);
  };
  return { leave, close: closeAll };
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
