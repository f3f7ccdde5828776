import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";

// Keeps one PostgreSQL running until its own standard input closes, which
// happens when the test run ends in whatever way, SIGKILL included; then removes
// the server's folders. Says "ready" once the server takes connections.

const IS_READY = /ready to accept (read-only )?connections/;

/** The options of the keeper, as JSON, in its only argument. */
export type Kept = {
  program: string;
  args: string[];
  home: string;
  data: string;
  uid?: number;
  gid?: number;
};

const instructions = process.argv[2];
if (instructions !== undefined) keep(JSON.parse(instructions) as Kept);

function keep({ program, args, home, data, ...identity }: Kept): void {
  const stdio = ["ignore", "ignore", "pipe"] as const;
  const server = spawn(program, args, {
    ...identity,
    cwd: home,
    stdio: [...stdio],
  });
  let log = "";
  let ready = false;
  server.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    log = (log + chunk).slice(-20_000);
    if (ready || !IS_READY.test(log)) return;
    ready = true;
    process.stdout.write("ready\n");
  });
  server.on("error", (error) => finish(error.message));
  server.on("close", () => finish(ready ? "" : log));

  // SIGINT is PostgreSQL's fast shutdown: sessions end, files are closed.
  process.stdin.on("close", () => server.kill("SIGINT")).resume();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => server.kill("SIGINT"));

  function finish(complaint: string): void {
    for (const folder of [home, path.dirname(data)])
      rmSync(folder, { recursive: true, force: true });
    process.stderr.write(complaint, () => process.exit(complaint ? 1 : 0));
  }
}
