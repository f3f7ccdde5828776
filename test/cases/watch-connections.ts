import { appendFileSync } from "node:fs";
import { Socket } from "node:net";

// Preloaded into the server under test: writes down where it connects to, also
// where nobody answers. It changes nothing.

const file = process.env["CASES_CONNECTIONS"];
const connect: unknown = Reflect.get(Socket.prototype, "connect");

function placeOf(value: unknown): string | undefined {
  const [options] = Array.isArray(value) ? (value as unknown[]) : [value];
  if (typeof options !== "object" || options === null) return undefined;
  const { host, port } = options as { host?: string; port?: number | string };
  return port === undefined ? undefined : `${host ?? "localhost"} ${port}`;
}

if (file !== undefined && typeof connect === "function")
  Reflect.set(
    Socket.prototype,
    "connect",
    function (this: Socket, ...given: unknown[]): unknown {
      const place = placeOf(given[0]);
      if (place !== undefined) appendFileSync(file, `${place}\n`);
      return Reflect.apply(connect, this, given) as unknown;
    },
  );
