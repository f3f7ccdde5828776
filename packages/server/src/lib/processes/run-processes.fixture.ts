import cluster from "node:cluster";
import { isChild, noteStarted } from "./child-process.ts";
import { runProcesses } from "./run-processes.ts";

// Two processes, of which the second one ends before it has started, once. Prints each step.

if (isChild()) {
  const id = cluster.worker?.id;
  if (id === 2) process.exit(1);
  noteStarted(null);
  process.stdout.write(`started ${id}\n`);
  process.on("SIGTERM", () => process.exit());
} else {
  const processes = await runProcesses(2, (line) =>
    process.stdout.write(`${line}\n`),
  );
  process.stdout.write("running\n");
  process.on("SIGTERM", () => void processes.stop());
}
