/** Prints one line. */
export type Write = (line: string) => void;

/** A command that cannot be carried out as it was typed; the message is for the one who typed it. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

/** @param settings one line for each setting */
export function helpText(settings: string): string {
  return `Kith, a federated social network server

Usage: kith [COMMAND] [SETTINGS]

Commands:
  serve                          Serves the web, the API and federation (default)
  worker                         Works off the queue beside other processes (PostgreSQL only)
  migrate                        Brings the database up to date, and ends
  account create NAME            Makes an account; asks for its password
  account list                   Lists the accounts: name, role, state, date
  account approve NAME           Lets in who waits for approval
  account reset-password NAME    Sets a new password; ends all sessions and tokens
  account promote NAME [ROLE]    Makes somebody admin, moderator or user
  reports list                   Lists what other servers report: number, date,
                                 server, about whom, what for, which posts

  -h, --help                     Shows this text
  -v, --version                  Shows the version

Settings, each also as a variable of the environment:
${settings}`;
}
