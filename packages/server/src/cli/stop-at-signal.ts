import type { Voice } from "./voice.ts";

const FAILED = 1;
// npm passes a Ctrl-C on that the terminal has sent to this process as well.
const ECHO_MS = 1_000;

/**
 * Ends cleanly at the first signal, and at once at a later one.
 * @param fail ends the process with a failure that the stop has met
 */
export function stopAtSignal(
  { stop }: { readonly stop: () => Promise<void> },
  voice: Voice | undefined,
  fail: (error: unknown) => void,
): void {
  let stoppingSince: number | undefined;
  const handle = (): void => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > ECHO_MS) process.exit(FAILED);
      return;
    }
    stoppingSince = performance.now();
    stop().then(() => {
      voice?.write("Kith has stopped.");
      process.exit(0);
    }, fail);
  };
  process.on("SIGINT", handle);
  process.on("SIGTERM", handle);
}
