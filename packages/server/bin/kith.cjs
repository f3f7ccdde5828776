#!/usr/bin/env -S node --max-semi-space-size=8
"use strict";

// V8 would let what is young grow to some 60 MB before it looks at it. With less it
// looks more often, at what is still in the processor's cache, and is no slower.
// `npm start` says the same.

require("../../../scripts/require-node-26.cjs");

// Compiled code is kept between starts: they take a third of the time, and the
// compiler for TypeScript, tens of megabytes, is not loaded at all. Where the
// folder cannot be written to, everything works without it.
const { join } = require("node:path");
const { enableCompileCache } = require("node:module");
enableCompileCache(
  join(__dirname, "../../../node_modules/.cache/kith-compiled"),
);

import("../src/main.ts");
