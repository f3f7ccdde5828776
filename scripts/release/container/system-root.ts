import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import path from "node:path";
import { findNpmCache } from "./npm-settings.ts";
import type { Command, System } from "./system.ts";

/** Parts of a system that the images have beside /usr. */
const FOLDERS = ["usr", "dev", "proc", "etc", "root", "opt", "run", "var/lib"];
const LINKS = ["bin", "sbin", "lib", "lib64"];
const ETC = [
  ...["passwd", "group", "shadow", "gshadow", "login.defs", "nsswitch.conf"],
  ...["hosts", "resolv.conf", "ssl", "ca-certificates", "ld.so.cache"],
];

/** Files of this system that the image of Debian lacks, by the packages that bring them. */
const LACKING: Readonly<Record<string, readonly string[]>> = {
  nodejs: ["/usr/bin/node", "/usr/bin/nodejs"],
  npm: ["/usr/bin/npm"],
  libatomic1: ["/usr/lib/*/libatomic.so.1*", "/usr/lib*/libatomic.so.1*"],
};

/** Installs nothing, since this system's /usr is there; it notes what a real one would bring. */
const APT_GET =
  '#!/bin/sh\nfor word; do echo "$word"; done >>/var/lib/installed\n';

const USUAL_PATH =
  "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Trees with this system's /usr, as the root of their processes. */
export const rootSystem: System = {
  isSuperuser: true,
  makeRoot,
  launch: (root, command) => ({
    file: "unshare",
    args: argumentsOf(root, command),
  }),
  seal: () => undefined,
};

/** Whether this process may mount, and change the root of another. */
export function canMakeRoots(): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    const script = "mount -t tmpfs tmpfs /mnt; exec chroot / true";
    const args = ["--mount", "/bin/sh", "-ec", script];
    execFileSync("unshare", args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
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

/** The arguments of `unshare` that run a command in a root, in the same process. */
function argumentsOf(
  root: string,
  { env, folder, command, user = "0:0", writable, hasNode }: Command,
): string[] {
  const mounts = [
    ...(writable ? ['mount --bind "$root" "$root"'] : []),
    'mount --bind /usr "$root/usr"',
    'mount -o remount,ro,bind "$root/usr"',
    'mount -t tmpfs -o mode=755 tmpfs "$root/usr/local"',
    ...placeAptGet(root),
    ...(hasNode ? mountNode() : hideLacking(root)),
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

/** As in the official image of Node, with the Node and the npm that run this. */
function mountNode(): string[] {
  const { npm_execpath: program } = process.env;
  if (program === undefined) throw new Error("Only npm can run this");
  const npm = path.resolve(fs.realpathSync(program), "../..");
  const cache = findNpmCache();
  return [
    'mkdir -p "$root/usr/local/bin" "$root/usr/local/lib/node_modules/npm"',
    'touch "$root/usr/local/bin/node"',
    `mount --bind '${process.execPath}' "$root/usr/local/bin/node"`,
    `mount --bind '${npm}' "$root/usr/local/lib/node_modules/npm"`,
    'ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"',
    ...(cache === undefined
      ? []
      : [
          'mkdir -p "$root/root/.npm"',
          `mount --bind '${cache}' "$root/root/.npm"`,
        ]),
  ];
}

function placeAptGet(root: string): string[] {
  const script = path.join(root, "var/lib/apt-get");
  fs.writeFileSync(script, APT_GET, { mode: 0o755 });
  return [
    'mkdir -p "$root/usr/local/sbin"',
    'cp "$root/var/lib/apt-get" "$root/usr/local/sbin/apt-get"',
  ];
}

function hideLacking(root: string): string[] {
  const noted = path.join(root, "var/lib/installed");
  const words = fs.existsSync(noted) ? fs.readFileSync(noted, "utf8") : "";
  const installed = new Set(words.split("\n"));
  return Object.entries(LACKING)
    .filter(([name]) => !installed.has(name))
    .flatMap(([, files]) => fs.globSync(files))
    .map((file) => `mount --bind /dev/null "$root${file}"`);
}
