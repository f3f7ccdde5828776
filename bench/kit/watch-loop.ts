import { createServer } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";

// Loaded into the measured server before its own code. A client of the socket gets the
// time for which the main thread was blocked since the previous client.

/** The interval for detecting that the thread is free again. */
const RESOLUTION_MS = 1;

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();

/** The longest period of work between two free moments. */
let workedMs = 0;
let before = process.threadCpuUsage();

function look(): void {
  const { user, system } = process.threadCpuUsage(before);
  before = process.threadCpuUsage();
  workedMs = Math.max(workedMs, (user + system) / 1000);
  setTimeout(look, RESOLUTION_MS).unref();
}
look();

const server = createServer((socket) => {
  // The previous period is recorded only after the timers have run.
  setTimeout(() => {
    const heldMs = Math.max(0, delay.max / 1e6 - RESOLUTION_MS);
    socket.end(JSON.stringify({ heldMs, workedMs }));
    delay.reset();
    workedMs = 0;
  }, 10 * RESOLUTION_MS);
});
server.listen(new URL(import.meta.url).searchParams.get("socket") ?? "");
server.unref();
