import { OperatorError } from "../lib/errors.ts";

/** Prints one line. */
export type Write = (line: string) => void;

/** Options of single commands, beside the settings. */
export type CommandOptions = {
  readonly host?: string | undefined;
  readonly kind?: string | undefined;
  /** Print one JSON value instead of lines for people. */
  readonly json: boolean;
  readonly yes: boolean;
  /** The reason for a decision. */
  readonly reason?: string | undefined;
  /** For invitations: how many accounts, and how many days. */
  readonly uses?: string | undefined;
  readonly days?: string | undefined;
};

/** A command that cannot run as it was typed; the message is for the user. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

/** Describes an expected failure; undefined for a bug. */
export function explainFailure(error: unknown): string | undefined {
  return error instanceof OperatorError ? error.message : undefined;
}

const COMMANDS = `  serve [--no-worker]            Serves the web, the API and federation, and works
                                 off the queue (default)
  worker [--concurrency NUMBER]  Works off the queue beside other processes (PostgreSQL only)
  migrate                        Brings the database up to date, and ends
  account create NAME            Makes an account; asks for its password
  account list                   Lists the accounts: name, role, state, date, and what
                                 those who wait for approval wrote
  account approve NAME           Lets in who waits for approval
  account reject NAME            Refuses who waits for approval; the name is free again
  account reset-password NAME    Sets a new password; ends all sessions and tokens
  account reset-second-factor NAME
                                 Takes away its second factor and its passkeys; ends all
                                 sessions and tokens
  account promote NAME [ROLE]    Makes somebody admin, moderator or user
  invitation create [--uses NUMBER] [--days NUMBER]
                                 Makes a link with which people sign up: for one
                                 account and seven days, unless told otherwise
  invitation list                Lists the invitations: number, by whom, state, uses,
                                 end
  invitation revoke NUMBER       Lets nobody in any more with it
  audit list                     Lists what was done in running this server, by whom
                                 and when, newest first
  hosts list                     Lists what was decided of other servers
  hosts block HOST               Nothing is exchanged with a server and all below
                                 it, and its people are shown to nobody
  hosts silence HOST             Its people's public posts, and what they do, come
                                 to those alone who have them as contacts
  hosts reject-media HOST        No pictures of it are shown
  hosts allow HOST               Lets it take part, where only allowed ones may
  hosts forgive HOST             Takes back whatever was decided of it
                                 [--reason TEXT] is kept with each decision
  relays list                    Lists the relays and what they answered
  relays add URL                 Asks a relay, by its inbox or its actor
  relays remove URL              Leaves a relay
  person show HANDLE             Shows what was decided of one person
  person suspend HANDLE          Nothing is taken from a person or sent to it, nobody
                                 signs in to it, and nothing of it is shown
  person silence HANDLE          Its public posts, and what it does, come to those
                                 alone who have it as a contact
  person unsuspend HANDLE        Takes it back, and all is shown again
  person unsilence HANDLE        The same
                                 [--reason TEXT] is kept with each decision
  reports list                   Lists what is reported: number, date, server,
                                 about whom, what for, which posts, open or closed
  reports show NUMBER            Shows a report with the text that it is about
  reports resolve NUMBER WORDS   Closes a report, and says what was done
  queue list [--host HOST] [--kind KIND] [--json]
                                 Counts what waits, runs and was given up, by kind
                                 and server: oldest, next attempt, last error
  queue retry [--host HOST] [--kind KIND]
                                 Tries at once what waits or was given up
  queue drop --host HOST|--kind KIND --yes
                                 Takes it out of the queue for ever
  post deliveries GUID [--json]  Lists the servers that a post went to, and those that
                                 have not taken it yet
  doctor [--json]                Examines the server and the way to it from outside,
                                 says what is wrong and what to do; ends with 1
                                 where something fails`;

/** The description of each command, with its verbs. */
const ENTRIES = COMMANDS.split(/\n(?= {2}[a-z])/);

/** Runs before the database is opened. @throws {UsageError} */
export function refuseUnknownVerb(command: string, verb: string): void {
  const verbs = ENTRIES.flatMap(
    (entry) => new RegExp(`^ {2}${command} ([a-z-]+)`).exec(entry)?.[1] ?? [],
  );
  if (verbs.length > 0 && !verbs.includes(verb))
    throw new UsageError(`kith ${command} ${[...new Set(verbs)].join("|")}`);
}

const START = ["serve", "worker"];

/**
 * @param settings one line for each setting
 * @param command the topic; everything by default
 */
export function helpText(settings: string, command?: string): string {
  if (command === undefined)
    return `Kith, a federated social network server

Usage: kith [COMMAND] [SETTINGS]

Commands:
${COMMANDS}

${GENERAL}

Settings, each also as a variable of the environment:
${settings}`;
  const entries = ENTRIES.filter((entry) =>
    new RegExp(`^ {2}${command}\\b`).test(entry),
  );
  const more = START.includes(command)
    ? `Settings, each also as a variable of the environment:\n${settings}`
    : "It takes the settings with which the server runs: kith --help lists them.";
  return `Usage: kith ${command}${entries.length > 1 ? " VERB" : ""} [SETTINGS]

${entries.join("\n")}

${more}`;
}

const GENERAL = `  -h, --help                     Shows this text; after a command, what it is about
  -v, --version                  Shows the version`;

/** Prints the first steps with a new server. */
export function sayNext(
  {
    baseUrl,
    registration,
  }: { readonly baseUrl: string; readonly registration: string },
  hasAccounts: boolean,
): string {
  if (hasAccounts) return `Next: sign in at ${baseUrl}/users/sign_in`;
  return registration === "open"
    ? `Next: make an account at ${baseUrl}/users/sign_up, and make it admin with kith account promote NAME`
    : "Next: make an account with kith account create NAME, with the same settings, and make it admin with kith account promote NAME";
}
