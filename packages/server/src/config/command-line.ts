import { parseArgs, type ParseArgsConfig } from "node:util";
import { messageOf } from "../lib/errors.ts";
import { ConfigError, type Flags } from "./reader.ts";
import { SETTINGS } from "./settings.ts";

/** What was typed after `kith`. */
type CommandLine = {
  /** Command and its arguments, `serve` where nothing was given. */
  readonly words: readonly string[];
  readonly flags: Flags;
  readonly help: boolean;
  readonly version: boolean;
  /** Why, for commands that decide something. */
  readonly reason: string | undefined;
};

/** @throws {ConfigError} for a flag that does not exist or lacks its value */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const options: NonNullable<ParseArgsConfig["options"]> = {
    help: { type: "boolean", short: "h" },
    version: { type: "boolean", short: "v" },
    reason: { type: "string" },
  };
  for (const setting of SETTINGS)
    options[setting.flag] = {
      type: "isSwitch" in setting ? "boolean" : "string",
    };
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options,
      allowPositionals: true,
      allowNegative: true,
    });
    const { help, version, reason, ...flags } = values;
    return {
      words: positionals.length > 0 ? positionals : ["serve"],
      flags: flags as Flags,
      help: help === true,
      version: version === true,
      reason: typeof reason === "string" ? reason : undefined,
    };
  } catch (error) {
    throw new ConfigError([`${messageOf(error)} See kith --help.`]);
  }
}
