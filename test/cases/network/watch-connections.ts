import { appendFileSync, renameSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { isMainThread } from "node:worker_threads";

// Preloaded into the server under test: records its connections, including failed
// ones, and on a signal the properties that every object has gained. It changes
// nothing.

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

const gained = process.env["CASES_GAINED"];
const PROTOTYPES = { Object, Array, Function, String, Number, Boolean };

function listProperties(): Set<string> {
  return new Set(
    Object.entries(PROTOTYPES).flatMap(([name, { prototype }]) =>
      Reflect.ownKeys(prototype).map((key) => `${name}.${String(key)}`),
    ),
  );
}

if (gained !== undefined && isMainThread) {
  const before = listProperties();
  process.on("SIGUSR2", () => {
    const since = [...listProperties()].filter((one) => !before.has(one));
    // Atomically, for the waiting reader.
    writeFileSync(`${gained}.new`, since.map((one) => `${one}\n`).join(""));
    renameSync(`${gained}.new`, gained);
  });
}
