import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { codeOf, OperatorError } from "../lib/errors.ts";
import {
  METRICS_CONTENT_TYPE,
  type Metrics,
} from "../observability/metrics.ts";
import { ALIVE, answerReadiness } from "./health-routes.ts";
import type { Readiness } from "./readiness.ts";

export type OperationsDeps = {
  readonly metrics: Pick<Metrics, "render">;
  readonly readiness: Readiness;
};

/** The address for operators' programs, which is not public. */
export type OperationsAddress = {
  readonly host: string;
  readonly port: number;
};

class CannotListen extends OperatorError {
  constructor({ host, port }: OperationsAddress, error: unknown) {
    super(
      `The metrics cannot be served on ${host}, port ${port}: ${codeOf(error) ?? String(error)}. Choose another port or address (KITH_METRICS_PORT, KITH_METRICS_HOST).`,
    );
    this.name = "CannotListen";
  }
}

/**
 * Serves metrics and health on a separate address; a worker has no other. It
 * answers until it is closed, also while the rest is stopping.
 * @returns a function that closes it
 * @throws {OperatorError}
 */
export async function listenForOperations(
  deps: OperationsDeps,
  address: OperationsAddress,
): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    void answer(deps, request, response);
  });
  await listening(server, address);
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}

function listening(server: Server, address: OperationsAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(new CannotListen(address, error)));
    server.listen(address, resolve);
  });
}

async function answer(
  deps: OperationsDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const {
    status,
    text,
    type = "text/plain; charset=utf-8",
  } = await find(deps, request);
  response
    .writeHead(status, { "content-type": type, "cache-control": "no-store" })
    .end(request.method === "HEAD" ? undefined : text);
}

async function find(
  { metrics, readiness }: OperationsDeps,
  { method, url = "" }: IncomingMessage,
): Promise<{ status: number; text: string; type?: string }> {
  if (method !== "GET" && method !== "HEAD")
    return { status: 405, text: "GET only\n" };
  switch (url.split("?", 1)[0]) {
    case "/metrics": {
      const text = await metrics.render();
      return { status: 200, text, type: METRICS_CONTENT_TYPE };
    }
    case "/healthz":
      return ALIVE;
    case "/readyz":
      return answerReadiness(readiness);
    default:
      return {
        status: 404,
        text: "There are /metrics, /healthz and /readyz\n",
      };
  }
}
