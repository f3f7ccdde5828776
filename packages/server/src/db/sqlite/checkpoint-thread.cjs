"use strict";

// Checkpoints the database of each file that it is sent, on a connection of its own. It is
// JavaScript, since a thread would load the compiler for TypeScript: 30 ms and 15 MB each time.

const { DatabaseSync } = require("node:sqlite");
const { parentPort } = require("node:worker_threads");

parentPort?.on("message", (file) => {
  const database = new DatabaseSync(file);
  database.exec("pragma wal_checkpoint(passive)");
  database.close();
  parentPort?.postMessage("done");
});
