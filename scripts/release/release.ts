import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { root } from "../project-files.ts";
import { buildDeb } from "./build-deb.ts";
import { packFolder } from "./pack-folder.ts";
import { tryContainer } from "./container/try-container.ts";
import { tryDeb } from "./try-deb.ts";
import { tryRelease } from "./try-release.ts";

// npm run release [-- --out FOLDER] [--ref COMMIT] [--deb] [--container]
// Makes kith-VERSION-PLATFORM-ARCH.tar.gz of a commit: the sources that run, their
// dependencies and Node itself, for this platform, and starts a server from it. With --deb
// a Debian package too, which it installs, upgrades and purges in an empty root: as root.
// With --container it builds the image of the Containerfile and runs it: see container/try-container.ts.

/** Tracked files that a server runs, and those that its operator reads. */
const RUNS = [
  ...["package.json", "package-lock.json", "packages", "docs", "bin", "deploy"],
  ...["README.md", "CHANGELOG.md", "SECURITY.md", "FEDERATION.md", "LICENSE"],
  ...["scripts/link-node.cjs", "scripts/require-node-26.cjs"],
  "scripts/bundle-server.ts",
  ":(exclude,glob)packages/*/test/**",
  ":(exclude,glob)**/*.test.ts",
  ":(exclude,glob)**/*.fixture.ts",
];

/** Parts of the Node package that only builders of native modules use. */
const UNUSED = ["include", "share", "CHANGELOG.md"];

/** The bundle is made when npm has installed the dependencies. */
const BUNDLER = ["esbuild", "@esbuild", ".bin/esbuild"].map(
  (name) => `node_modules/${name}`,
);

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly [name: string]: unknown;
};

const { out, ref, deb, container } = parseArgs({
  options: {
    out: { type: "string", default: path.join(root, "release") },
    ref: { type: "string", default: "HEAD" },
    deb: { type: "boolean", default: false },
    container: { type: "boolean", default: false },
  },
}).values;

const building = fs.mkdtempSync(path.join(tmpdir(), "kith-release-"));
try {
  await release(path.resolve(out));
} finally {
  fs.rmSync(building, { recursive: true, force: true });
}

async function release(folder: string): Promise<void> {
  say(`Copying the sources of ${ref}`);
  const manifest = JSON.parse(git("show", `${ref}:package.json`)) as Manifest;
  const { version } = manifest;
  const name = `kith-${version}-${process.platform}-${process.arch}`;
  const staged = path.join(building, name);
  copySources(staged);
  say("Installing the dependencies that run");
  install(staged);
  finish(staged, manifest);
  fs.mkdirSync(folder, { recursive: true });
  say("Packing");
  const archive = path.join(folder, `${name}.tar.gz`);
  const committedS = Number(git("show", "--no-patch", "--format=%ct", ref));
  await packFolder(staged, archive, new Date(committedS * 1000));
  say("Starting a server from the archive");
  await tryRelease(archive);
  await writeSum(archive);
  if (deb) await releaseDeb(staged, version, folder);
  if (container) await tryContainer(unpackSources(), say);
}

async function releaseDeb(
  staged: string,
  version: string,
  folder: string,
): Promise<void> {
  say("Building the Debian package");
  const file = buildDeb(staged, version, folder);
  say("Installing, upgrading and purging it in an empty root");
  await tryDeb(file, version);
  await writeSum(file);
}

async function writeSum(file: string): Promise<void> {
  const sum = createHash("sha256");
  await pipeline(fs.createReadStream(file), sum);
  const line = `${sum.digest("hex")}  ${path.basename(file)}\n`;
  fs.writeFileSync(`${file}.sha256`, line);
  const megabytes = (fs.statSync(file).size / 1e6).toFixed(1);
  say(`${file}, ${megabytes} MB, and its .sha256`);
}

/** Tracked files, all of them by default. */
function archiveOf(files: readonly string[]): string {
  const tar = path.join(building, "sources.tar");
  git("archive", `--output=${tar}`, ref, "--", ...files);
  return tar;
}

/** All tracked files, as the context of the image. */
function unpackSources(): string {
  const context = path.join(building, "context");
  fs.mkdirSync(context);
  execFileSync("tar", ["-xf", archiveOf([]), "-C", context]);
  return context;
}

function copySources(staged: string): void {
  const tar = archiveOf(RUNS);
  fs.mkdirSync(staged);
  execFileSync("tar", ["-xf", tar, "-C", staged]);
}

function install(staged: string): void {
  const args = ["ci", "--omit=dev", "--no-audit", "--no-fund", "--no-progress"];
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  execFileSync(npm, [...args, "--prefer-offline"], {
    cwd: staged,
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/** Leaves what runs: no tests, no scripts of npm, no bundler, no cache of this machine's paths. */
function finish(staged: string, manifest: Manifest): void {
  const node = `node_modules/${nodePackage(staged)}`;
  for (const unused of UNUSED)
    fs.rmSync(path.join(staged, node, unused), {
      ...{ recursive: true, force: true },
    });
  for (const left of [...BUNDLER, "node_modules/.cache", "package-lock.json"])
    fs.rmSync(path.join(staged, left), { recursive: true, force: true });
  const { name, version, description, license, type } = manifest;
  const kept = { name, version, private: true, description, license, type };
  fs.writeFileSync(
    path.join(staged, "package.json"),
    `${JSON.stringify(kept, null, 2)}\n`,
  );
}

/** @throws where npm brought no Node for this platform */
function nodePackage(staged: string): string {
  const link = path.join(staged, "node_modules/.bin/node");
  const target = fs.readlinkSync(link);
  const [, name] = /^\.\.\/([^/]+)\//.exec(target) ?? [];
  if (name === undefined) throw new Error(`${link} leads to ${target}`);
  return name;
}

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
}

function say(text: string): void {
  console.log(`release: ${text}`);
}
