#!/usr/bin/env node
"use strict";

require("../../../scripts/require-node-26.cjs");
require("./cache-compiled.cjs");

const bundle = require("./find-bundle.cjs").findBundle();
if (bundle === undefined) require("./start-sources.cjs");
else import(bundle);
