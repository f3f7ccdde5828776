import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

const HEALTHY_WITHIN_MS = 120_000;
const POLL_MS = 500;
/** Several may be tried at once. */
const NAME = `kith-trial-${process.pid}`;

/** The program of a container engine that answers here, if there is one. */
export function findEngine(): string | undefined {
  return ["podman", "docker"].find((engine) => {
    try {
      execFileSync(engine, ["info"], { stdio: "ignore", timeout: 20_000 });
      return true;
    } catch {
      return false;
    }
  });
}

/** Builds the image, and runs it until it is healthy. @throws */
export async function tryImage(engine: string, context: string): Promise<void> {
  const call = (...args: readonly string[]) =>
    execFileSync(engine, args, {
      ...{ cwd: context, encoding: "utf8" },
      stdio: ["ignore", "pipe", "inherit"],
    }).trim();
  // Podman's own format has no health checks.
  const format = engine === "podman" ? ["--format", "docker"] : [];
  const build = ["build", ...format, "--file", "Containerfile"];
  const args = [...build, "--tag", NAME, "."];
  execFileSync(engine, args, { cwd: context, stdio: "inherit" });
  try {
    call(
      ...["run", "--detach", "--name", NAME, "--read-only", "--tmpfs", "/tmp"],
      ...["--cap-drop", "ALL", "--security-opt", "no-new-privileges"],
      ...["--env", "KITH_BASE_URL=https://kith.example"],
      ...["--publish", "127.0.0.1::3000", NAME],
    );
    await becomeHealthy(() => askHealth(engine, call));
    const [address = ""] = call("port", NAME, "3000").split("\n");
    const answer = await fetch(`http://${address}`);
    if (!(await answer.text()).includes("<html"))
      throw new Error("The container serves no page");
    call("exec", NAME, "kith", "backup", "/var/lib/kith/backups");
    call("stop", "-t", "20", NAME);
    const code = call("inspect", "--format", "{{.State.ExitCode}}", NAME);
    if (code !== "0") throw new Error(`The container ended with ${code}`);
  } finally {
    remove(call, "rm", "--force", "--volumes", NAME);
    remove(call, "rmi", "--force", NAME);
  }
}

type Call = (...args: readonly string[]) => string;

/** Podman runs health checks by itself only where systemd is. */
function askHealth(engine: string, call: Call): string {
  if (engine === "podman")
    try {
      call("healthcheck", "run", NAME);
    } catch {
      // It exits with 1 while the container starts: the state says more.
    }
  return call("inspect", "--format", "{{.State.Health.Status}}", NAME);
}

async function becomeHealthy(ask: () => string): Promise<void> {
  const until = Date.now() + HEALTHY_WITHIN_MS;
  for (let state = ask(); state !== "healthy"; state = ask()) {
    if (state === "unhealthy" || Date.now() > until)
      throw new Error(`The container is ${state}`);
    await sleep(POLL_MS);
  }
}

/** A failure here must not hide the one that came before. */
function remove(call: Call, ...args: readonly string[]): void {
  try {
    call(...args);
  } catch (error) {
    console.error(error);
  }
}
