import { flushCompileCache } from "node:module";
import type { CommandInput } from "../compose/command-input.ts";
import type { FirstSteps, Running } from "../compose/process.ts";
import { printNextSteps } from "./usage.ts";
import type { Voice } from "./voice.ts";

const FAILED = 1;

/**
 * Runs a server or a worker until a signal ends it, in one process or several.
 * @param fail ends the process with a failure that its stop has met
 */
export async function start(
  command: "serve" | "worker",
  input: CommandInput,
  voice: Voice,
  fail: (error: unknown) => void,
): Promise<void> {
  const { isChild, noteStarted } =
    await import("../compose/processes/child-process.ts");
  const isAlone = !isChild();
  if (isAlone) {
    const { warnOfOpenSecret } = await import("./warn-of-open-secret.ts");
    warnOfOpenSecret(input.secretKeyPlace, voice.warn);
  }
  const running = await startProcess(command, input, voice, isAlone);
  stopAtSignal(running, isAlone ? voice : undefined, fail);
  // For the next start, even if this process is killed.
  flushCompileCache();
  const { firstSteps } = running;
  if (!isAlone) return noteStarted(firstSteps);
  if (command === "worker")
    return voice.write("Kith works off its queue. Press Ctrl-C to stop.");
  voice.write(`Kith is at ${input.config.baseUrl}`);
  if (firstSteps) voice.write(printNextSteps(input.config, firstSteps));
  voice.write("Press Ctrl-C to stop.");
}

async function startProcess(
  command: "serve" | "worker",
  input: CommandInput,
  { warn: complain }: Voice,
  isAlone: boolean,
): Promise<Running & { readonly firstSteps?: FirstSteps | undefined }> {
  const { config } = input;
  if (isAlone && config.processes > 1) {
    const { runProcesses } =
      await import("../compose/processes/run-processes.ts");
    const processes = await runProcesses({ config, warn: complain });
    process.on("SIGHUP", () => void processes.replaceAll());
    return processes;
  }
  const { startServing, startWorking } = await import("../compose/process.ts");
  return command === "worker" ? startWorking(input) : startServing(input);
}

// npm passes a Ctrl-C on that the terminal has sent to this process as well.
const ECHO_MS = 1_000;

/** Ends cleanly at the first signal, and at once at a later one. */
function stopAtSignal(
  { stop }: Running,
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
