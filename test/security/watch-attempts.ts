import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { after, before, beforeEach } from "node:test";

const CHANNEL = "net.client.socket";

/** An address that any code of this process started connecting to. */
export type Attempt = { readonly address: string; readonly port: number };

/**
 * Records every connection that this process starts, including unanswered ones, for all tests of the surrounding
 * `describe`.
 */
export function watchAttempts() {
  const attempts: Attempt[] = [];
  const note = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    socket.on("connectionAttempt", (address: string, port: number) =>
      attempts.push({ address, port }),
    );
  };
  before(() => subscribe(CHANNEL, note));
  after(() => void unsubscribe(CHANNEL, note));
  return {
    /** Those so far that lead neither to these ports nor, if it is allowed, to loopback. */
    others: (ports: readonly number[], isLoopbackAdmitted = false): string[] =>
      attempts
        .filter(({ port }) => !ports.includes(port))
        .filter(
          ({ address }) =>
            !isLoopbackAdmitted || !["127.0.0.1", "::1"].includes(address),
        )
        .map(({ address, port }) => `${address} ${port}`),
    forget: () => void attempts.splice(0),
  };
}

/** A port on every address of this machine that must not be connected to. */
export function useTrap() {
  let attempts = 0;
  const server = createServer((socket) => {
    attempts += 1;
    socket.destroy();
  });
  before(async () => {
    server.listen(0, "::");
    await once(server, "listening");
  });
  after(() => server.close());
  beforeEach(() => {
    attempts = 0;
  });
  return {
    port: () => (server.address() as AddressInfo).port,
    attempts: () => attempts,
  };
}
