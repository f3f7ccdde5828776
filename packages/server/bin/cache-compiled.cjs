"use strict";

// Compiled code is kept between starts: from the sources they take a third of the
// time, and the compiler for TypeScript, tens of megabytes, is not loaded. Where the
// folder cannot be written to, everything works without it.
const { join } = require("node:path");
const { enableCompileCache } = require("node:module");
enableCompileCache(
  join(__dirname, "../../../node_modules/.cache/kith-compiled"),
);
