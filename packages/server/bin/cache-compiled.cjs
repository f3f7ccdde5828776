"use strict";

// Compiled code is kept between starts: they take two thirds of the time, and the
// compiler for TypeScript, tens of megabytes, is not loaded at all. Where the
// folder cannot be written to, everything works without it.
const { join } = require("node:path");
const { enableCompileCache } = require("node:module");
enableCompileCache(
  join(__dirname, "../../../node_modules/.cache/kith-compiled"),
);
