import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports of outgoing connections, which might take one before a server has it. */
const FIRST = 12_000;

/**
 * Each process has a range of its own, so that two do not choose the same port at the same time; where
 * two have the same one, they begin at different places.
 */
const PROCESSES = 100;
const PORTS_OF_A_PROCESS = 200;

let chosen = randomInt(PORTS_OF_A_PROCESS);

/** A free port of the loopback interface, for a server that needs its address before it starts. */
export async function findFreePort(): Promise<number> {
  const own = FIRST + (process.pid % PROCESSES) * PORTS_OF_A_PROCESS;
  for (;;) {
    const port = own + (chosen++ % PORTS_OF_A_PROCESS);
    const probe = createServer().listen(port, "127.0.0.1");
    try {
      await once(probe, "listening");
    } catch {
      continue;
    }
    probe.close();
    await once(probe, "close");
    return port;
  }
}
