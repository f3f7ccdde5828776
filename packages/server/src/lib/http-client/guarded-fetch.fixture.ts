import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { after, before, beforeEach } from "node:test";
import { createGuardedFetch, FetchRefused } from "./guarded-fetch.ts";
import type { GuardedFetch, OutgoingRequest } from "./guarded-fetch.ts";

export type Handler = (req: IncomingMessage, res: ServerResponse) => void;

/** A real server on loopback, and a resolver that knows a few names. */
type TestServer = {
  /** What the next requests get; each test starts with "hello". */
  handler: Handler;
  port: number;
  /** All connections so far. */
  connections: number;
  /** The requests of this test. */
  requests: { url: string; headers: IncomingMessage["headers"] }[];
  /** Admits the private network; `strict` does not. */
  open: GuardedFetch;
  strict: GuardedFetch;
  at(path: string, host?: string): string;
  get(
    url: string,
    more?: Partial<OutgoingRequest>,
  ): ReturnType<GuardedFetch["request"]>;
};

const ADDRESSES: Record<string, string> = {
  "public.example": "9.9.9.9",
  "metadata.example": "169.254.169.254",
};

function resolve(host: string) {
  if (host === "gone.example") return Promise.reject(new Error("ENOTFOUND"));
  const address = ADDRESSES[host] ?? "127.0.0.1";
  return Promise.resolve([{ address, family: 4 as const }]);
}

/** Starts the server before the tests of a file and stops it after them. */
export function useTestServer(): TestServer {
  const options = { userAgent: "Kith/test", resolve };
  const open = createGuardedFetch({ ...options, allowPrivateNetwork: true });
  const strict = createGuardedFetch({ ...options, allowPrivateNetwork: false });
  const kit: TestServer = {
    handler: () => undefined,
    port: 0,
    connections: 0,
    requests: [],
    open,
    strict,
    at: (path, host = "localhost") =>
      `http://${host}:${String(kit.port)}${path}`,
    get: (url, more = {}) =>
      open.request({ method: "GET", url, maxBytes: 1000, ...more }),
  };
  const server = createServer((req, res) => {
    kit.requests.push({ url: req.url ?? "", headers: req.headers });
    kit.handler(req, res);
  });
  server.on("connection", (_socket: Socket) => (kit.connections += 1));
  before(async () => {
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    kit.port = (server.address() as AddressInfo).port;
  });
  beforeEach(() => {
    kit.requests = [];
    kit.handler = (_req, res) => res.end("hello");
  });
  after(async () => {
    await Promise.all([open.close(), strict.close()]);
    server.closeAllConnections();
    server.close();
  });
  return kit;
}

/** Asserts that a request was refused, for this reason and in few words. */
export async function assertFetchRefused(
  work: Promise<unknown>,
  reason: string,
) {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof FetchRefused, String(error));
    assert.equal(error.reason, reason, error.message);
    assert.ok(error.message.length < 200);
    return true;
  });
}
