import { parseArgs, type ParseArgsConfig } from "node:util";
import { codeOf, messageOf } from "../lib/errors.ts";
import {
  SERVER_OPTIONS,
  SPAM_OPTIONS,
  type ServerOptions,
} from "../lib/server-options.ts";
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
    /** The words for the person whom it concerns. */
    readonly message?: string;
    /** For invitations: how many accounts, and how many days. */
    readonly uses?: string;
    readonly days?: string;
    /** Tell what would happen, and change nothing. */
    readonly dryRun?: boolean;
    /** Writes the whole database anew. */
    readonly full?: boolean;
    /** The same for an import. */
    readonly rehearse?: boolean;
    /** Moves the account of an archive here, too. */
    readonly move?: boolean;
    /** For those who work on Kith: serve the page of all components. */
    readonly kitPage?: boolean;
  } & ServerOptions;
  readonly help: boolean;
  readonly version: boolean;
};

/** The options that `kith server` takes. */
export const OF_SERVER = ["json", "registration", ...SERVER_OPTIONS] as const;

/** The options that `kith spam` takes. */
export const OF_SPAM = ["days", "message", ...SPAM_OPTIONS] as const;

/** @throws {ConfigError} for a flag that does not exist or lacks its value */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const options: NonNullable<ParseArgsConfig["options"]> = {
    help: { type: "boolean", short: "h" },
    version: { type: "boolean", short: "v" },
    reason: { type: "string" },
    message: { type: "string" },
    uses: { type: "string" },
    days: { type: "string" },
    host: { type: "string" },
    kind: { type: "string" },
    json: { type: "boolean" },
    yes: { type: "boolean" },
    "dry-run": { type: "boolean" },
    full: { type: "boolean" },
    rehearse: { type: "boolean" },
    move: { type: "boolean" },
    "kit-page": { type: "boolean" },
  };
  for (const name of [...SERVER_OPTIONS, ...SPAM_OPTIONS])
    options[name] = { type: "string" };
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
    const { "dry-run": dryRun, "kit-page": kitPage, ...more } = others;
    const { rehearse, move, message, full, ...flags } = more;
    return {
      words: positionals,
      flags: flags as Flags,
      options: {
        ...takeServerOptions(positionals[0], flags),
        ...(typeof host === "string" && { host }),
        ...(typeof kind === "string" && { kind }),
        ...(json === true && { json }),
        ...(yes === true && { yes }),
        ...(dryRun === true && { dryRun }),
        ...(full === true && { full }),
        ...(rehearse === true && { rehearse }),
        ...(move === true && { move }),
        ...(kitPage === true && { kitPage }),
        ...(typeof reason === "string" && { reason }),
        ...(typeof message === "string" && { message }),
        ...(typeof uses === "string" && { uses }),
        ...(typeof days === "string" && { days }),
      },
      help: help === true,
      version: version === true,
    };
  } catch (error) {
    throw new ConfigError([`${explain(error)} See kith --help.`]);
  }
}

/** Node's words, without its advice and with the name of the option in ours. */
function explain(error: unknown): string {
  const message = messageOf(error);
  const name = /^(?:Unknown option|Option) '([^' ,]+)/.exec(message)?.[1];
  if (name === undefined) return message;
  switch (codeOf(error)) {
    case "ERR_PARSE_ARGS_UNKNOWN_OPTION":
      return `There is no option ${name}.`;
    case "ERR_PARSE_ARGS_INVALID_OPTION_VALUE":
      return message.includes("does not take")
        ? `The option ${name} takes no value.`
        : `The option ${name} needs a value.`;
    default:
      return message;
  }
}

/** Moves them from the flags. The registration is a setting but for `kith server`. */
function takeServerOptions(
  command: string | undefined,
  flags: Record<string, unknown>,
): ServerOptions {
  const names =
    command === "server"
      ? [...SERVER_OPTIONS, ...SPAM_OPTIONS, "registration"]
      : [...SERVER_OPTIONS, ...SPAM_OPTIONS];
  const taken: Record<string, string> = {};
  for (const name of names) {
    const value = flags[name];
    if (typeof value === "string") taken[name] = value;
    delete flags[name];
  }
  return taken;
}
