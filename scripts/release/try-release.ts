import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;
const POLL_MS = 100;

/**
 * Unpacks an archive into an empty folder and runs its server.
 * @throws where a step fails
 */
export async function tryRelease(archive: string): Promise<void> {
  const folder = fs.mkdtempSync(path.join(tmpdir(), "kith-try-"));
  try {
    execFileSync("tar", ["-xzf", archive, "-C", folder]);
    const [name = ""] = fs.readdirSync(folder);
    refuseWithoutBundle(path.join(folder, name));
    const kith = path.join(folder, name, "bin/kith");
    await tryServer(kith, path.join(folder, "data"));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws where its server would start from the sources, in twice the time */
function refuseWithoutBundle(kith: string): void {
  const finder = path.join(kith, "packages/server/bin/find-bundle.cjs");
  const { findBundle } = createRequire(import.meta.url)(finder) as {
    findBundle: () => string | undefined;
  };
  if (findBundle() === undefined) throw new Error(`No bundle in ${kith}`);
}

/**
 * Runs what an operator runs first, without any Node on the PATH.
 * @param kith the program
 * @param dataDir an empty folder, or none yet
 */
export async function tryServer(kith: string, dataDir: string): Promise<void> {
  const options = { cwd: "/", env: { PATH: "/usr/bin:/bin" } };
  const port = String(await findPort());
  const init = ["init", "--data-dir", dataDir, "--port", port];
  execFileSync(kith, init, { ...options, stdio: "ignore" });
  const args = ["serve", "--data-dir", dataDir];
  const server = spawn(kith, args, { ...options, stdio: "inherit" });
  await visit(server, `http://localhost:${port}`);
}

async function visit(server: ChildProcess, base: string): Promise<void> {
  const ended = new Promise<number | null>((resolve) =>
    server.once("exit", resolve),
  );
  try {
    const page = await waitForPage(server, base);
    if (!page.includes("<html")) throw new Error(`${base} is no page`);
    for (const asset of page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)) {
      const { status } = await fetch(new URL(asset[1] ?? "", base));
      if (status !== 200) throw new Error(`${asset[1]} answered ${status}`);
    }
  } finally {
    server.kill("SIGTERM");
  }
  const killer = setTimeout(() => server.kill("SIGKILL"), STOP_TIMEOUT_MS);
  const code = await ended;
  clearTimeout(killer);
  if (code !== 0) throw new Error(`The server ended with ${String(code)}`);
}

async function waitForPage(server: ChildProcess, url: string): Promise<string> {
  const until = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < until && server.exitCode === null) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return answer.text();
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`No page at ${url}`);
}

/** A port that nobody uses just now. */
export function findPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "localhost", () => {
      const address = probe.address();
      const port = typeof address === "object" ? address?.port : undefined;
      probe.close(() => resolve(port ?? 0));
    });
  });
}
