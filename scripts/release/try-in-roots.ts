import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import * as fs from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Stage, Step } from "./containerfile.ts";
import { findPort } from "./try-release.ts";

const HEALTHY_WITHIN_MS = 60_000;
const ENDS_WITHIN_MS = 20_000;
const POLL_MS = 200;

/** Parts of a system that the images have beside /usr. */
const FOLDERS = ["usr", "dev", "proc", "etc", "root", "opt", "run", "var/lib"];
const LINKS = ["bin", "sbin", "lib", "lib64"];
const ETC = [
  ...["passwd", "group", "shadow", "gshadow", "login.defs", "nsswitch.conf"],
  ...["hosts", "resolv.conf", "ssl", "ca-certificates", "ld.so.cache"],
];

/**
 * Runs the steps of each stage in a root of its own, on this system's /usr, and then a server in
 * the last one, of which it can write to its data and /tmp alone.
 * @param work an empty folder for the roots
 * @throws
 */
export async function tryInRoots(
  stages: readonly Stage[],
  context: string,
  work: string,
): Promise<void> {
  if (process.getuid?.() !== 0)
    throw new Error("Only root can make the roots of the image's steps");
  const roots = new Map<string | undefined, string>([[undefined, context]]);
  let last = "";
  for (const [at, stage] of stages.entries()) {
    last = path.join(work, `root-${at}`);
    makeRoot(last);
    for (const step of stage.steps) take(step, last, roots);
    if (stage.name !== undefined) roots.set(stage.name, last);
  }
  const stage = stages.at(-1);
  if (stage) await tryStage(stage, last);
}

function makeRoot(root: string): void {
  for (const folder of FOLDERS)
    fs.mkdirSync(path.join(root, folder), { recursive: true });
  fs.mkdirSync(path.join(root, "tmp"));
  fs.chmodSync(path.join(root, "tmp"), 0o1777);
  for (const link of LINKS)
    fs.symlinkSync(`usr/${link}`, path.join(root, link));
  for (const name of ETC.filter((it) => fs.existsSync(`/etc/${it}`)))
    fs.cpSync(`/etc/${name}`, path.join(root, "etc", name), {
      ...{ recursive: true, dereference: true },
    });
}

function take(
  step: Step,
  root: string,
  roots: ReadonlyMap<string | undefined, string>,
): void {
  if (step.kind === "copy") return copy(step, root, roots.get(step.from));
  fs.mkdirSync(path.join(root, step.folder), { recursive: true });
  const env = { ...npmSettings(root), ...step.env };
  const command = ["/bin/sh", "-ec", step.command];
  const args = inRoot(root, { env, folder: step.folder, command });
  execFileSync("unshare", args, { stdio: ["ignore", "ignore", "inherit"] });
}

function copy(
  { from, sources, target }: Extract<Step, { kind: "copy" }>,
  root: string,
  origin: string | undefined,
): void {
  if (origin === undefined) throw new Error(`There is no stage ${from}`);
  const into = path.join(root, target);
  const isFolder = target.endsWith("/");
  for (const source of sources)
    fs.cpSync(
      path.join(origin, source),
      isFolder ? path.join(into, path.basename(source)) : into,
      { recursive: true, verbatimSymlinks: true },
    );
}

/** The registry that npm uses here may be another one than its own. */
function npmSettings(root: string): Record<string, string> {
  const file = path.join(homedir(), ".npmrc");
  if (fs.existsSync(file))
    fs.copyFileSync(file, path.join(root, "root/.npmrc"));
  const given = Object.entries(process.env).filter(([name]) =>
    /^(npm_config_registry|npm_config_cafile|https?_proxy|no_proxy)$/i.test(
      name,
    ),
  );
  return { ...Object.fromEntries(given), HOME: "/root" };
}

type Command = {
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly command: readonly string[];
  readonly user?: string | undefined;
  /** The folders that can be written to; everything by default. */
  readonly writable?: readonly string[];
};

const USUAL_PATH =
  "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The arguments of `unshare` that run a command in a root, in the same process. */
function inRoot(
  root: string,
  { env, folder, command, user = "0:0", writable }: Command,
): string[] {
  const mounts = [
    ...(writable ? ['mount --bind "$root" "$root"'] : []),
    'mount --bind /usr "$root/usr"',
    'mount -o remount,ro,bind "$root/usr"',
    'mount --rbind /dev "$root/dev"',
    'mount -t proc proc "$root/proc"',
    ...(writable ?? []).map((it) => `mount --bind "$root${it}" "$root${it}"`),
    ...(writable ? ['mount -o remount,ro,bind "$root"'] : []),
  ];
  const script = `root=$1; shift; ${mounts.join("; ")}; exec chroot --userspec=${user} "$root" "$@"`;
  const variables = Object.entries({ PATH: USUAL_PATH, ...env });
  return [
    ...["--mount", "/bin/sh", "-ec", script, "sh", root],
    ...["/usr/bin/env", "-i", `--chdir=${folder}`],
    ...variables.map(([name, value]) => `${name}=${value}`),
    ...command,
  ];
}

async function tryStage(stage: Stage, root: string): Promise<void> {
  const port = String(await findPort());
  const base = `http://localhost:${port}`;
  const env = { ...stage.env, KITH_PORT: port, KITH_BASE_URL: base };
  const { folder, user } = stage;
  const writable = [folder, "/tmp"];
  const argsOf = (command: readonly string[]) =>
    inRoot(root, { env, folder, user, writable, command });
  const server = spawn("unshare", argsOf(stage.command), { stdio: "inherit" });
  const ended = new Promise<number | null>((done) => server.once("exit", done));
  try {
    await becomeHealthy(server, argsOf(stage.health));
    const answer = await fetch(base);
    if (!(await answer.text()).includes("<html"))
      throw new Error("The server of the image serves no page");
    refuseOutside(argsOf(["/bin/sh", "-c", "echo x > /opt/kith/x"]));
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
  args: readonly string[],
): Promise<void> {
  const until = Date.now() + HEALTHY_WITHIN_MS;
  while (Date.now() < until && server.exitCode === null) {
    if (succeeds(args)) return;
    await sleep(POLL_MS);
  }
  throw new Error("The server of the image does not become healthy");
}

function refuseOutside(args: readonly string[]): void {
  if (succeeds(args)) throw new Error("The server can change its own program");
}

function succeeds(args: readonly string[]): boolean {
  try {
    execFileSync("unshare", args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
