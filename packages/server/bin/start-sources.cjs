"use strict";

// Starts Kith from its sources, as `npm run dev` does: node --watch sees which have changed.
require("../../../scripts/require-node-26.cjs");
require("./cache-compiled.cjs");
require("./resolve-sources.cjs");

import("../src/main.ts");
