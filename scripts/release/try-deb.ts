import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { tryServer } from "./try-release.ts";

const CONFIG = "etc/kith/kith.toml";
const DATA = "var/lib/kith";

/**
 * Installs a package in an empty root, runs its server, installs it again as the next
 * version, and purges it.
 * @throws where a step fails, or a changed setting or data get lost
 */
export async function tryDeb(deb: string, version: string): Promise<void> {
  const root = fs.mkdtempSync(path.join(tmpdir(), "kith-root-"));
  try {
    prepare(root);
    dpkg(root, "--install", deb);
    check(readMode(root, DATA) === 0o700, `${DATA} is open to others`);
    check(read(root, "etc/passwd").includes("kith:"), "There is no user kith");
    fs.appendFileSync(path.join(root, CONFIG), "\n# changed\n");
    const kith = path.join(root, "usr/lib/kith/bin/kith");
    await tryServer(kith, path.join(root, DATA));
    dpkg(root, "--install", nextVersion(deb, version, root));
    check(read(root, CONFIG).endsWith("# changed\n"), `${CONFIG} was replaced`);
    dpkg(root, "--purge", "kith");
    check(!fs.existsSync(path.join(root, CONFIG)), `${CONFIG} is left`);
    check(!fs.existsSync(kith), "The program is left");
    check(read(root, `${DATA}/kith.sqlite`) !== "", "The data is gone");
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}

/** Makes the files that dpkg and the scripts of a package look for. */
function prepare(root: string): void {
  for (const folder of ["var/lib/dpkg/info", "var/lib/dpkg/updates", "etc"])
    fs.mkdirSync(path.join(root, folder), { recursive: true });
  for (const file of ["var/lib/dpkg/status", "etc/passwd", "etc/group"])
    fs.writeFileSync(path.join(root, file), "");
}

function dpkg(root: string, ...action: readonly string[]): void {
  const args = [
    ...[`--root=${root}`, "--force-script-chrootless", "--force-depends"],
    ...["--force-confdef", "--force-confold", ...action],
  ];
  execFileSync("dpkg", args, { stdio: ["ignore", "ignore", "pipe"] });
}

/** The same package under a higher version. */
function nextVersion(deb: string, version: string, root: string): string {
  const staged = path.join(root, "next");
  execFileSync("dpkg-deb", ["--raw-extract", deb, staged]);
  const control = path.join(staged, "DEBIAN/control");
  const text = fs.readFileSync(control, "utf8");
  const next = text.replace(`Version: ${version}`, `Version: ${version}+next`);
  check(next !== text, "The version is not in the control file");
  fs.writeFileSync(control, next);
  const built = path.join(root, "next.deb");
  const args = ["--root-owner-group", "-Znone", "--build", staged, built];
  execFileSync("dpkg-deb", args, { stdio: "ignore" });
  return built;
}

function readMode(root: string, file: string): number {
  return fs.statSync(path.join(root, file)).mode & 0o777;
}

function read(root: string, file: string): string {
  return fs.readFileSync(path.join(root, file), "latin1");
}

function check(holds: boolean, fault: string): void {
  if (!holds) throw new Error(fault);
}
