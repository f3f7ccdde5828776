"use strict";

// Every entry requires this first. An older Node fails on the first .ts file
// with an error that names neither Kith nor the remedy, so this is plain
// JavaScript that runs on it and says both.

const NEEDED = 26;

/** The sentence for users of an outdated Node, else undefined. */
function complaintAbout(version, executable) {
  if (Number(version.split(".")[0]) >= NEEDED) return undefined;
  return (
    `Kith needs Node ${NEEDED} or newer, but this is Node ${version} (${executable}): ` +
    `run it through npm ("npm start", "npx kith --help"), which uses the Node that "npm ci" installed; ` +
    `if you did, run "npm ci" again without --ignore-scripts or --omit=optional, ` +
    `or put Node ${NEEDED} on the PATH (https://nodejs.org).`
  );
}

const complaint = complaintAbout(process.versions.node, process.execPath);
if (complaint) {
  console.error(complaint);
  process.exit(1);
}

module.exports = { complaintAbout };
