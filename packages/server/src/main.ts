import { readFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { OF_SERVER, OF_SPAM, parseCommandLine } from "./config/command-line.ts";
import { findDataDir, readConfig } from "./config/config.ts";
import {
  NO_CONFIG_FILE,
  readConfigFile,
  type ConfigFile,
} from "./config/config-file.ts";
import { readEnvironment } from "./config/environment.ts";
import {
  ConfigError,
  findGiven,
  type Env,
  type Flags,
} from "./config/reader.ts";
import { locateSecretKey } from "./config/secret-key.ts";
import { settingsHelp } from "./config/settings-help.ts";
import { HUMAN_VOICE, openVoice, type Voice } from "./cli/voice.ts";
import { endWithReader } from "./cli/end-with-reader.ts";
import { keepFilesPrivate } from "./cli/keep-files-private.ts";
import { stopAtSignal } from "./cli/stop-at-signal.ts";
import {
  explainFailure,
  refuseUnknownVerb,
  printNextSteps,
  helpText,
  takesWords,
  COMMAND_NAMES,
  UsageError,
  type CommandOptions,
} from "./cli/usage.ts";
import type { CommandInput } from "./compose/command-input.ts";
import type { FirstSteps, Running } from "./compose/process.ts";
import {
  drainWhenReplaced,
  isChild,
  noteStarted,
} from "./lib/processes/child-process.ts";
import { ProcessFailed } from "./lib/processes/process-failed.ts";

// The modules of a command are loaded when it is known: most need a part, and somebody
// who has mistyped a word needs none of it.

const FAILED = 1;
const MISUSED = 2;

const { write, complain, warn } = HUMAN_VOICE;

async function main(): Promise<void> {
  // Before anything is opened: SQLite's files take the rights that are left.
  keepFilesPrivate();
  const { words, flags, options, help, version } = parseCommandLine(
    process.argv.slice(2),
  );
  const [command = "serve", ...rest] = words;
  if (!isLogged(command) || help || version) endWithReader();
  if (help && words.length === 0) return write(helpText(settingsHelp()));
  if (version) return write(readVersion());
  if (!COMMAND_NAMES.has(command))
    throw new UsageError(`There is no command ${command}. See kith --help.`);
  if (help) return write(helpText(settingsHelp(), command));
  if (rest.length > 0 && !takesWords(command))
    throw new UsageError(`kith ${command} takes no further words.`);
  refuseUnknownVerb(command, rest[0] ?? "");
  for (const option of Object.keys(options))
    if (!OPTIONS_OF[command]?.includes(option))
      throw new UsageError(`kith ${command} takes no --${option}.`);
  return runWithSettings(
    command,
    rest,
    { json: false, yes: false, ...options },
    flags,
  );
}

async function runWithSettings(
  command: string,
  words: readonly string[],
  options: CommandOptions,
  flags: Flags,
): Promise<void> {
  const env = readEnvironment();
  const file = findConfigFile(env, flags);
  const { config, secrets, warnings } = readConfig(env, flags, file);
  const voice = isLogged(command)
    ? await openVoice(config.logFormat)
    : HUMAN_VOICE;
  warnings.forEach(voice.warn);
  if (command === "config") {
    const { runConfigCommand } =
      await import("./cli/commands/config-commands.ts");
    const { showConfig } = await import("./config/show-config.ts");
    const settings = showConfig({ config, secrets }, env, flags, file);
    return runConfigCommand(settings, words, options, write);
  }
  const secretKeyPlace = locateSecretKey(config.dataDir, secrets.secretKey);
  if (command === "init") {
    const { describeNewServer } =
      await import("./cli/commands/config-commands.ts");
    const { createServer } = await import("./config/create-server.ts");
    const made = createServer(config, secretKeyPlace, env, flags);
    return describeNewServer(made, config.dataDir).forEach(write);
  }
  const version = readVersion();
  const say = voice.complain;
  const known = { config, secrets, secretKeyPlace, version, say };
  if (command === "migrate" || command === "upgrade")
    return upgrade(command, words, options, known);
  refuseImpossible(command, config);
  // An invalid key is reported before anything is opened.
  secretKeyPlace.find();
  const hasKitPage = options.kitPage === true;
  if (isLogged(command)) return start(command, { ...known, hasKitPage }, voice);
  return run(command, words, options, known);
}

/** Its output is a log, and its work does not end with a reader of that. */
const isLogged = (command: string): command is "serve" | "worker" =>
  command === "serve" || command === "worker";

/** Needs no secret key. */
async function upgrade(
  command: "migrate" | "upgrade",
  words: readonly string[],
  options: CommandOptions,
  input: CommandInput,
): Promise<void> {
  const { migrateDatabase, checkUpgrade } =
    await import("./compose/command.ts");
  if (command === "migrate") return sayMigrated(await migrateDatabase(input));
  const { runUpgradeCommand } =
    await import("./cli/commands/upgrade-commands.ts");
  return runUpgradeCommand(() => checkUpgrade(input), words, options, write);
}

function findConfigFile(env: Env, flags: Flags): ConfigFile {
  const named = findGiven(env, flags, NO_CONFIG_FILE, "KITH_CONFIG");
  return readConfigFile(named?.text, findDataDir(env, flags));
}

const OPTIONS_OF: Readonly<Record<string, readonly string[]>> = {
  account: ["rehearse", "move", "kind", "json"],
  backup: ["json"],
  config: ["json"],
  upgrade: ["json"],
  restore: ["json"],
  media: ["json"],
  doctor: ["json"],
  bans: ["reason", "days"],
  hosts: ["reason", "dryRun"],
  import: ["rehearse", "json"],
  person: ["reason", "message"],
  invitation: ["uses", "days"],
  post: ["json"],
  queue: ["host", "kind", "json", "yes"],
  serve: ["kitPage"],
  server: OF_SERVER,
  spam: OF_SPAM,
  storage: ["days", "dryRun", "full", "json"],
};
async function run(
  command: string,
  words: readonly string[],
  options: CommandOptions,
  input: CommandInput,
): Promise<void> {
  if (command === "backup" || command === "restore")
    return backUp(command, words, options, input);
  if (command === "media") return runMedia(words, options, input);
  if (command === "storage" && words[0] === "compact")
    return runCompact(words, options, input);
  if (command === "doctor") {
    const { runDoctor } = await import("./compose/doctor.ts");
    const { reportFindings } = await import("./cli/commands/doctor-command.ts");
    const findings = await runDoctor(input);
    if (!reportFindings(findings, options, write)) process.exitCode = FAILED;
    return;
  }
  if (command === "mail") {
    const { trialOf } = await import("./compose/mails.ts");
    const { runMailCommand } = await import("./cli/commands/mail-command.ts");
    return runMailCommand(trialOf(input), words, write);
  }
  const { runCommand } = await import("./cli/run-command.ts");
  const { withFeatures } = await import("./compose/command.ts");
  const { withProgress } = await import("./cli/show-progress.ts");
  return withProgress({ write, complain }, (shown) =>
    runCommand(command, {
      ...{ words, options, ...shown },
      baseUrl: input.config.baseUrl,
      speaksActivityPub: input.config.protocols.activitypub,
      withFeatures: (use) => withFeatures(input, use),
      withQueue: async (use) => {
        const { withServer } = await import("./compose/process.ts");
        await withServer(input, ({ queue }) => use(queue));
      },
      withStorage: async (use) => {
        const { withServer } = await import("./compose/process.ts");
        await withServer(input, ({ storage }) => use(storage));
      },
      withImports: async (use) => {
        const { withServer } = await import("./compose/process.ts");
        await withServer(input, ({ imports, features }) =>
          use({ imports, ...features }),
        );
      },
      withServerImports: async (use) => {
        const { withServer } = await import("./compose/process.ts");
        await withServer(input, ({ serverImports }) => use(serverImports));
      },
    }),
  );
}

async function runCompact(
  words: readonly string[],
  options: CommandOptions,
  input: CommandInput,
): Promise<void> {
  const { runCompactCommand } =
    await import("./cli/commands/storage/compact-command.ts");
  const { composeCompaction } = await import("./compose/command.ts");
  const { withProgress } = await import("./cli/show-progress.ts");
  const compaction = composeCompaction(input);
  return withProgress({ write, complain }, (shown) =>
    runCompactCommand({ compaction, words, options, ...shown }),
  );
}

async function runMedia(
  words: readonly string[],
  options: CommandOptions,
  input: CommandInput,
): Promise<void> {
  const { runMediaCommand } = await import("./cli/commands/media-commands.ts");
  const { mediaPlaces } = await import("./compose/storage.ts");
  const { withProgress } = await import("./cli/show-progress.ts");
  const places = mediaPlaces(input);
  return withProgress({ write, complain }, (shown) =>
    runMediaCommand({ words, options, ...places, ...shown }),
  );
}

async function backUp(
  command: "backup" | "restore",
  words: readonly string[],
  options: CommandOptions,
  input: CommandInput,
): Promise<void> {
  const commands = await import("./cli/commands/backup-commands.ts");
  const { composeBackups } = await import("./compose/backups.ts");
  const { withProgress } = await import("./cli/show-progress.ts");
  const backups = composeBackups(input);
  const { baseUrl } = input.config;
  return withProgress({ write, complain }, (shown) => {
    const call = { words, options, backups, baseUrl, ...shown };
    return command === "backup"
      ? commands.runBackupCommand(call)
      : commands.runRestoreCommand(call);
  });
}

/** Runs a server or a worker until a signal ends it, in one process or several. */
async function start(
  command: "serve" | "worker",
  input: CommandInput,
  voice: Voice,
): Promise<void> {
  const isAlone = !isChild();
  if (isAlone) {
    const { warnOfOpenSecret } = await import("./cli/warn-of-open-secret.ts");
    warnOfOpenSecret(input.secretKeyPlace, voice.warn);
  }
  const { firstSteps, ...running } = await startProcess(command, input, voice);
  stopAtSignal(running, isAlone ? voice : undefined, fail);
  if (!isAlone)
    drainWhenReplaced(() => {
      const end = running.drain ?? running.stop;
      end().then(() => process.exit(0), fail);
    });
  // For the next start, even if this process is killed.
  flushCompileCache();
  if (!isAlone) return noteStarted(firstSteps);
  if (command === "worker")
    return voice.write("Kith works off its queue. Press Ctrl-C to stop.");
  voice.write(`Kith is at ${input.config.baseUrl}`);
  if (firstSteps?.formerHost !== undefined)
    voice.warn(explainOtherHost(firstSteps.formerHost, input.config.baseHost));
  if (firstSteps) voice.write(printNextSteps(input.config, firstSteps));
  voice.write("Press Ctrl-C to stop.");
}

async function startProcess(
  command: "serve" | "worker",
  input: CommandInput,
  { warn: complain }: Voice,
): Promise<Running & { readonly firstSteps?: FirstSteps | undefined }> {
  const { startServing, startSeveral, startWorking } =
    await import("./compose/process.ts");
  if (input.config.processes > 1 && !isChild()) {
    const starting = startSeveral(input.config, complain);
    // It may come before they are at work, and must not end them.
    process.on("SIGHUP", () => {
      starting.then((several) => several.replaceAll(), fail);
    });
    return starting;
  }
  return command === "worker" ? startWorking(input) : startServing(input);
}

const explainOtherHost = (former: string, host: string): string =>
  `The addresses of the people here end with @${former}, but KITH_BASE_URL says ${host}. Other servers do not recognise them under another name: set it back, unless this is a copy for a trial.`;

/** @throws {UsageError} */
function refuseImpossible(
  command: string,
  { database, worker, processes }: CommandInput["config"],
): void {
  const isAlone = database.kind === "sqlite";
  if ((command === "serve" || command === "worker") && processes > 1 && isAlone)
    throw new UsageError(
      "Several processes (--processes, KITH_PROCESSES) need PostgreSQL (KITH_DATABASE_URL). SQLite allows one.",
    );
  if (command === "worker" && isAlone)
    throw new UsageError(
      "A worker of its own needs PostgreSQL (KITH_DATABASE_URL). With SQLite, kith serve does the work itself.",
    );
  if (command === "serve" && !worker && isAlone)
    throw new UsageError(
      "Serving without a worker (--no-worker, KITH_WORKER) needs PostgreSQL (KITH_DATABASE_URL) and kith worker beside it. With SQLite there is one process, which does the work itself.",
    );
  if (command === "worker" && !worker)
    throw new UsageError(
      "kith worker does nothing but work: leave out --no-worker (KITH_WORKER).",
    );
}

function sayMigrated(steps: readonly string[]): void {
  write(
    steps.length === 0
      ? "The database is up to date."
      : `The database is up to date now. Steps made: ${steps.join(", ")}.`,
  );
}

function readVersion(): string {
  const manifest = new URL("../package.json", import.meta.url);
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as {
    version: string;
  };
  return version;
}

/** A mistake of the user's is explained in words; only a bug of ours shows its stack. */
function fail(error: unknown): void {
  if (error instanceof ConfigError) {
    error.warnings.forEach(warn);
    for (const fault of error.faults) complain(fault);
    process.exit(MISUSED);
  }
  if (error instanceof UsageError) {
    complain(error.message);
    process.exit(MISUSED);
  }
  // It has said why itself.
  if (error instanceof ProcessFailed) process.exit(error.exitCode);
  const stack = error instanceof Error ? error.stack : undefined;
  complain(explainFailure(error) ?? stack ?? String(error));
  process.exit(FAILED);
}

main().catch(fail);
