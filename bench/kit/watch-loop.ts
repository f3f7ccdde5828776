import { createServer } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";

// Loaded into the server that is measured, before its own code. Whoever connects to the
// socket is told how long the main thread was held since the last one was.

/** So soon it is noticed that the thread is free again. */
const RESOLUTION_MS = 1;

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();

/** The most that the thread worked between two moments in which it was free. */
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
  // What held the thread until now is only noted when the timers have run.
  setTimeout(() => {
    const heldMs = Math.max(0, delay.max / 1e6 - RESOLUTION_MS);
    socket.end(JSON.stringify({ heldMs, workedMs }));
    delay.reset();
    workedMs = 0;
  }, 10 * RESOLUTION_MS);
});
server.listen(new URL(import.meta.url).searchParams.get("socket") ?? "");
server.unref();
