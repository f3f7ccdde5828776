import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { findPort } from "../try-release.ts";
import type { Stage } from "./containerfile.ts";
import type { Command, Launch } from "./system.ts";

const HEALTHY_WITHIN_MS = 60_000;
const ENDS_WITHIN_MS = 20_000;
const POLL_MS = 200;

/**
 * Runs the server of a stage, which can write to its data and /tmp alone, and ends it with SIGTERM.
 * @throws if it does not become healthy, or does not end well
 */
export async function tryStage(
  { env, folder, user, command, health }: Stage,
  launch: (command: Command) => Launch,
): Promise<void> {
  const port = String(await findPort());
  const settings = { KITH_PORT: port, KITH_BASE_URL: "https://kith.example" };
  const launchOf = (words: readonly string[]) =>
    launch({
      ...{ env: { ...env, ...settings }, folder, user, command: words },
      writable: [folder, "/tmp"],
    });
  const { file, args, ...options } = launchOf(command);
  const server = spawn(file, args, { ...options, stdio: "inherit" });
  const ended = new Promise<number | null>((done) => server.once("exit", done));
  try {
    await becomeHealthy(server, launchOf(health));
    const answer = await fetch(`http://127.0.0.1:${port}`);
    if (!(await answer.text()).includes("<html"))
      throw new Error("The server of the image serves no page");
    const [kith = ""] = command;
    if (!succeeds(launchOf([kith, "backup", `${folder}/backups`])))
      throw new Error("A second command beside the server fails");
    const own = "/opt/kith/package.json";
    if (succeeds(launchOf(["cp", "/dev/null", own])))
      throw new Error("The server can change its own program");
  } finally {
    server.kill("SIGTERM");
  }
  const killer = setTimeout(() => server.kill("SIGKILL"), ENDS_WITHIN_MS);
  const code = await ended;
  clearTimeout(killer);
  if (code !== 0) throw new Error(`The server ended with ${String(code)}`);
}

/** By the very command of HEALTHCHECK. */
async function becomeHealthy(
  server: ChildProcess,
  health: Launch,
): Promise<void> {
  const until = Date.now() + HEALTHY_WITHIN_MS;
  while (Date.now() < until && server.exitCode === null) {
    if (succeeds(health)) return;
    await sleep(POLL_MS);
  }
  throw new Error("The server of the image does not become healthy");
}

function succeeds({ file, args, ...options }: Launch): boolean {
  try {
    execFileSync(file, args, { ...options, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
