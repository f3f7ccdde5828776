import { parseArgs, type ParseArgsConfig } from "node:util";
import { messageOf } from "../lib/errors.ts";
import { ConfigError, type Flags } from "./reader.ts";
import { SETTINGS } from "./settings.ts";

/** The arguments after `kith`. */
type CommandLine = {
  /** The command and its arguments. */
  readonly words: readonly string[];
  readonly flags: Flags;
  /** Options of single commands, as far as they were given. */
  readonly options: {
    readonly host?: string;
    readonly kind?: string;
    readonly json?: boolean;
    readonly yes?: boolean;
    /** The reason for a decision. */
    readonly reason?: string;
    /** For invitations: how many accounts, and how many days. */
    readonly uses?: string;
    readonly days?: string;
    /** Tell what would happen, and change nothing. */
    readonly dryRun?: boolean;
    /** For those who work on Kith: serve the page of all components. */
    readonly kitPage?: boolean;
  };
  readonly help: boolean;
  readonly version: boolean;
};

/** @throws {ConfigError} for a flag that does not exist or lacks its value */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const options: NonNullable<ParseArgsConfig["options"]> = {
    help: { type: "boolean", short: "h" },
    version: { type: "boolean", short: "v" },
    reason: { type: "string" },
    uses: { type: "string" },
    days: { type: "string" },
    host: { type: "string" },
    kind: { type: "string" },
    json: { type: "boolean" },
    yes: { type: "boolean" },
    "dry-run": { type: "boolean" },
    "kit-page": { type: "boolean" },
  };
  for (const setting of SETTINGS)
    if (setting.flag !== null)
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
    const { help, version, ...given } = values;
    const { host, kind, json, yes, reason, uses, days, ...others } = given;
    const { "dry-run": dryRun, "kit-page": kitPage, ...flags } = others;
    return {
      words: positionals,
      flags: flags as Flags,
      options: {
        ...(typeof host === "string" && { host }),
        ...(typeof kind === "string" && { kind }),
        ...(json === true && { json }),
        ...(yes === true && { yes }),
        ...(dryRun === true && { dryRun }),
        ...(kitPage === true && { kitPage }),
        ...(typeof reason === "string" && { reason }),
        ...(typeof uses === "string" && { uses }),
        ...(typeof days === "string" && { days }),
      },
      help: help === true,
      version: version === true,
    };
  } catch (error) {
    throw new ConfigError([`${messageOf(error)} See kith --help.`]);
  }
}
