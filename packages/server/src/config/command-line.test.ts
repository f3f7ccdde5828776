import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCommandLine } from "./command-line.ts";
import { ConfigError } from "./reader.ts";

const FAULTS: readonly [string, string][] = [
  ["--nonsense", "There is no option --nonsense."],
  ["--no-port", "There is no option --no-port."],
  ["-x", "There is no option -x."],
  ["--port", "The option --port needs a value."],
  ["--json=3", "The option --json takes no value."],
];

for (const [option, fault] of FAULTS)
  test(`${option} is refused in our own words`, () => {
    assert.throws(
      () => parseCommandLine(["serve", option]),
      new ConfigError([`${fault} See kith --help.`]),
    );
  });
