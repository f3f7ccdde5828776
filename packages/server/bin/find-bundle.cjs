"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");

const ROOT = path.join(__dirname, "../../..");
const FOLDER = path.join(__dirname, "../node_modules/.cache/kith-bundle");

/**
 * The address of the server's bundle (scripts/bundle-server.ts), or undefined
 * if there is none, or if a file changed after it was bundled.
 */
function findBundle(folder = FOLDER, root = ROOT) {
  try {
    const file = path.join(folder, "bundle.json");
    const { entry, sizes } = JSON.parse(fs.readFileSync(file, "utf8"));
    const { mtimeMs } = fs.statSync(file);
    for (const [name, size] of Object.entries(sizes)) {
      // For thousands of files, path.join() would take a fifth of the time.
      const input = fs.statSync(`${root}/${name}`);
      if (input.size !== size || input.mtimeMs > mtimeMs) return undefined;
    }
    return pathToFileURL(path.join(folder, entry)).href;
  } catch {
    return undefined;
  }
}

module.exports = { findBundle, FOLDER };
