import type { ServerOptions } from "../lib/server-options.ts";
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
  /** The words for the person whom it concerns. */
  readonly message?: string | undefined;
  /** For invitations: how many accounts, and how many days. */
  readonly uses?: string | undefined;
  readonly days?: string | undefined;
  /** Tell what would happen, and change nothing. */
  readonly dryRun?: boolean | undefined;
  /** Write the whole database anew. */
  readonly full?: boolean | undefined;
  /** The same for an import. */
  readonly rehearse?: boolean | undefined;
  /** Move the account of an archive here, too. */
  readonly move?: boolean | undefined;
  /** For those who work on Kith: serve the page of all components. */
  readonly kitPage?: boolean | undefined;
} & ServerOptions;

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
  init                           Makes a new server: data directory, kith.toml with these
                                 settings, and secret key; replaces nothing
  config show [--json]           Lists the settings in force, and where each comes from
  migrate                        Brings the database up to date, and ends
  upgrade check [--json]         Tells which migrations would run, on how much, and
                                 changes nothing
  account create NAME [admin]    Creates an account; asks for its password
  account list                   Lists the accounts: name, role, state, date, and the
                                 reason of a pending registration
  account approve NAME           Approves a pending account
  account reject NAME            Rejects a pending account; its name is free again
  account reset-password NAME    Sets a new password; ends all sessions and tokens
  account reset-second-factor NAME
                                 Removes its second factor and its passkeys; ends all
                                 sessions and tokens
  account promote NAME [ROLE]    Makes the account admin, moderator or user
  account import NAME FILE [--rehearse] [--move] [--kind KIND] [--json]
                                 Imports an archive of Kith or Mastodon (zip, tar.gz), or
                                 a list as CSV, into an account, and tells nobody of old
                                 posts; --rehearse only says what would happen, and
                                 --move moves the account of a diaspora* archive here
  import ganggo DATABASE [--rehearse] [--json]
                                 Takes over a whole server of GangGo under its domain:
                                 accounts with their keys and passwords, contacts, posts;
                                 DATABASE is a file of SQLite or postgres://…
  invitation create [--uses NUMBER] [--days NUMBER]
                                 Creates a link to sign up: for one account and seven
                                 days by default
  invitation list                Lists the invitations: number, by whom, state, uses,
                                 end
  invitation revoke NUMBER       Revokes an invitation
  announcement create WORDS      Tells everybody on this server something
  announcement list              Lists the announcements, newest first
  announcement withdraw NUMBER   Withdraws an announcement
  server show [--json]           Shows what the server says about itself, and its look
  server set OPTIONS             Changes it; what is left out stays as it is:
                                 [--name TEXT] [--description TEXT] [--joining TEXT]
                                 [--rules-file FILE] [--terms-file FILE]
                                 [--privacy-file FILE] [--contact USERNAME]
                                 [--contact-mail ADDRESS] [--language en|de]
                                 [--registration open|approval|closed]
                                 [--picture FILE] [--style-file FILE]
                                 [--accent-light COLOUR] [--accent-dark COLOUR]
                                 [--min-age YEARS], and for new accounts
                                 [--newcomer-days DAYS] [--newcomer-posts NUMBER]
                                 [--newcomer-follows NUMBER] [--newcomer-links yes|no]
  server unset NAME...           Empties some of it, named as above: rules, terms,
                                 picture, style, registration (as the configuration
                                 says); a running server shows a change within five
                                 seconds
  audit list                     Lists administrative acts, by whom and when, newest
                                 first
  hosts list                     Lists the decisions about other servers
  hosts block HOST               Exchanges nothing with a server and its subdomains,
                                 and hides its people
  hosts silence HOST             Shows public posts and acts of its people to their
                                 contacts only
  hosts reject-media HOST        Hides its pictures
  hosts allow HOST               Allows it, if only allowed servers may take part
  hosts forgive HOST             Removes the decision about it
  hosts import FILE              Takes over a list: a CSV file of Mastodon's form, or
                                 names [--dry-run]
  hosts export                   Writes the decisions as such a file
  hosts imports                  Lists what was imported: number, by whom, servers
  hosts undo NUMBER              Takes back what an import changed
                                 [--reason TEXT] is kept with each decision
  bans list                      Lists the mail domains, mail addresses and networks that
                                 are kept from signing up
  bans domain DOMAIN [SEVERITY]  Bans a mail domain: approval, or no-sign-ups (default)
  bans address ADDRESS [SEVERITY]
                                 Bans a mail address, of which a hash is stored
  bans network RANGE [SEVERITY]  Bans an IP address or a range: also no-access
                                 [--days NUMBER] until it ends, [--reason TEXT]
  bans lift NUMBER               Lifts a ban
  spam list                      Lists the rules against spam: number, state, action, name
  spam set NAME --action note|report|hold|refuse
                                 Makes a rule, or replaces that of this name; all of these
                                 must hold: [--phrase TEXT] [--link-host HOST]
                                 [--mentions NUMBER] [--known-days DAYS]
                                 [--strangers yes] for authors without a contact here;
                                 off until [--on yes]
  spam try NUMBER [--days DAYS]  Shows which stored posts and comments of the last 7 days
                                 it would have hit
  spam on NUMBER                 Switches a rule on
  spam off NUMBER                Switches it off
  spam delete NUMBER             Deletes it
  spam held                      Lists the texts that rules hold: number, date, author,
                                 kind, for everyone or some, rule, text
  spam approve NUMBER            Approves one: it is delivered
  spam refuse NUMBER             Deletes it; [--message TEXT] is for an author here
  spam log                       Lists what rules have hit in the last 30 days
  relays list                    Lists the relays and their answers
  relays add URL                 Asks a relay, by its inbox or its actor
  relays remove URL              Leaves a relay
  person show HANDLE             Shows the decisions about one person
  person suspend HANDLE          Accepts nothing from a person and sends nothing,
                                 refuses the sign-in, and hides the posts
  person silence HANDLE          Shows the person's public posts and acts to contacts
                                 only
  person unsuspend HANDLE        Ends the suspension; everything is visible again
  person unsilence HANDLE        Ends the silence
  person warn HANDLE             Warns an account here; nothing else changes
                                 [--reason TEXT] is kept with each decision,
                                 [--message TEXT] is what an account here is told
  appeals list                   Lists the open appeals: number, date, person,
                                 decision, words
  appeals accept NUMBER          Accepts an appeal, and takes the decision back
  appeals reject NUMBER          Rejects an appeal
  reports list                   Lists the reports: number, date, server, person,
                                 reason, posts, open or closed
  reports show NUMBER            Shows a report with the reported text
  reports resolve NUMBER WORDS   Closes a report, with its resolution
  queue list [--host HOST] [--kind KIND] [--json]
                                 Counts waiting, running and dead jobs by kind and
                                 server: oldest, next attempt, last error
  queue retry [--host HOST] [--kind KIND]
                                 Makes waiting and dead jobs due now
  queue drop --host HOST|--kind KIND --yes
                                 Removes jobs from the queue for ever
  mail test ADDRESS              Sends a mail for a trial, and says whether the mail
                                 server took it
  post deliveries GUID [--json]  Lists the servers that a post was sent to, and the
                                 state of each delivery
  storage [--days NUMBER] [--json]
                                 Shows what is on the disk, and how much each rule
                                 would free; with other days, if they are given
  storage clean [--dry-run] [--json]
                                 Applies the rules now, as the server does every day
  storage compact [--dry-run] [--json]
                                 Gives free space of the database back, also while the
                                 server runs
  storage compact --full         Writes a file of SQLite anew, while no server runs
  media [--json]                 Says how many uploads are in the data directory, and
                                 in the object store
  media move                     Moves them into the object store, also while the
                                 server runs; it can be stopped and begun again
  media move back                Moves them back into the data directory
  backup FOLDER                  Makes a backup in a folder of backups, also while the
                                 server runs; unchanged files cost nothing again
  backup FILE.tar                Makes a backup in one file
  backup s3://BUCKET/PREFIX      Makes a backup in a bucket, with the host and the key of
                                 KITH_BACKUP_URL or KITH_MEDIA_URL
  backup verify BACKUP           Reads all of a backup, and restores it for a trial
  restore BACKUP                 Restores a backup into an empty place
                                 [--json] prints one JSON value
  doctor [--json]                Examines the server and its reachability, and says
                                 what is wrong and what to do; exits with 1 if a
                                 check fails`;

/** The description of each command, with its verbs. */
const ENTRIES = COMMANDS.split(/\n(?= {2}[a-z])/);

/** Derived from the help: a command cannot be described there and be refused. */
export const COMMAND_NAMES: ReadonlySet<string> = new Set(
  COMMANDS.match(/^ {2}[a-z]+/gm)?.map((name) => name.trim()),
);

/** Does the help name words after this command? */
export function takesWords(command: string): boolean {
  return new RegExp(`^ {2}${command} [A-Za-z]`, "m").test(COMMANDS);
}

/** Commands whose first word may be the user's own, or missing. */
const WITH_OWN_WORD = new Set(["backup", "media", "storage"]);

/** Runs before the database is opened. @throws {UsageError} */
export function refuseUnknownVerb(command: string, verb: string): void {
  if (WITH_OWN_WORD.has(command)) return;
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

Settings, each also as an environment variable:
${settings}`;
  const entries = ENTRIES.filter((entry) =>
    new RegExp(`^ {2}${command}\\b`).test(entry),
  );
  const more = START.includes(command)
    ? `Settings, each also as an environment variable:\n${settings}`
    : "It takes the same settings as the server: kith --help lists them.";
  return `Usage: kith ${command}${entries.length > 1 ? " VERB" : ""} [SETTINGS]

${entries.join("\n")}

${more}`;
}

const GENERAL = `  -h, --help                     Shows this text; after a command, its help
  -v, --version                  Shows the version`;

/** Prints the first steps with a new server. */
export function printNextSteps(
  {
    baseUrl,
    isOfThisMachine,
  }: { readonly baseUrl: string; readonly isOfThisMachine: boolean },
  {
    isNew,
    setupCode,
  }: { readonly isNew: boolean; readonly setupCode: string | undefined },
): string {
  if (setupCode === undefined)
    return `Next: sign in at ${baseUrl}/users/sign_in`;
  const setup = `Next: create the account of the admin at ${baseUrl}/setup`;
  // An ordinary account may come first: from then on the page asks for the code.
  return isNew && isOfThisMachine
    ? `${setup} (once there is any account, with the code ${setupCode})`
    : `${setup} with the code ${setupCode}`;
}
