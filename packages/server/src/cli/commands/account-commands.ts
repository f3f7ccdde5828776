import type {
  Accounts,
  Administration,
  BirthFault,
  SignUpFault,
} from "../../features/accounts/index.ts";
import { KithError } from "../../lib/errors.ts";
import { readPassword } from "../read-password.ts";
import { startTable } from "../table.ts";
import { UsageError, type Write } from "../usage.ts";

const FAULTS: Readonly<Record<BirthFault | SignUpFault, string>> = {
  username_blank: "The name is missing.",
  username_malformed:
    "A name has 1 to 30 characters, which are letters a to z, digits and _.",
  username_taken: "That name is taken, or was taken once.",
  username_reserved: "That name is reserved: choose another one.",
  password_too_short: "A password has at least 6 characters.",
  password_too_long: "That password is too long.",
  reason_too_long: "That reason is too long.",
  date_of_birth_blank: "The date of birth is missing.",
  date_of_birth_malformed: "The date of birth is no date.",
  date_of_birth_too_late: "The person is not old enough.",
  network_refused: "That network is banned.",
  email_refused: "That mail address is banned.",
};

type AccountCommandDeps = {
  readonly accounts: Accounts;
  readonly administration: Administration;
};

/** An operator at the command line has no account. */
const COMMAND_LINE = null;

/** `kith account …` @throws {UsageError} */
export async function runAccountCommand(
  { accounts, administration }: AccountCommandDeps,
  words: readonly string[],
  write: Write,
): Promise<void> {
  const [verb, name, role] = words;
  switch (verb) {
    case "create":
      return create(accounts, needName(name), role, write);
    case "list":
      return list(administration, write);
    case "reset-password":
      return resetPassword(administration, needName(name), write);
    case "reset-second-factor":
      return resetSecondFactor(administration, needName(name), write);
    case "promote":
      return promote(administration, needName(name), role ?? "admin", write);
    case "approve":
      return approve(administration, needName(name), write);
    case "reject":
      return reject(administration, needName(name), write);
    default:
      throw new UsageError(
        "kith account create|list|approve|reject|import|reset-password|reset-second-factor|promote [NAME]",
      );
  }
}

function needName(name: string | undefined): string {
  if (name === undefined) throw new UsageError("The name is missing.");
  return name;
}

async function create(
  accounts: Accounts,
  username: string,
  role: string | undefined,
  write: Write,
): Promise<void> {
  if (role !== undefined && role !== "admin")
    throw new UsageError("An account is created without a role, or as admin.");
  const password = await readPassword(write);
  const result = await accounts.signUp({
    ...{ username, password, by: COMMAND_LINE },
    ...(role && { role }),
  });
  if (result.kind === "refused")
    throw new UsageError(result.faults.map((fault) => FAULTS[fault]).join(" "));
  write(`Created the account ${result.account.username}.`);
}

/** The application text of a pending account comes last. */
async function list(
  administration: Administration,
  write: Write,
): Promise<void> {
  const row = startTable(write, ["name", "role", "state", "since", "wrote"]);
  let after = 0;
  for (;;) {
    const page = await administration.listAfter(after, AT_ONCE);
    for (const { username, role, state, createdAt, reason } of page) {
      const more = reason === null ? [] : [reason];
      row([username, role, state, createdAt, ...more]);
    }
    const last = page.at(-1);
    if (!last) return;
    after = last.id;
  }
}

const AT_ONCE = 500;

async function resetPassword(
  administration: Administration,
  username: string,
  write: Write,
): Promise<void> {
  const password = await readPassword(write);
  await explain(username, () =>
    administration.resetPassword(COMMAND_LINE, { username }, password),
  );
  write(
    `The password of ${username} is changed; every session and token has ended.`,
  );
}

async function resetSecondFactor(
  administration: Administration,
  username: string,
  write: Write,
): Promise<void> {
  await explain(username, () =>
    administration.resetSecondFactor(COMMAND_LINE, { username }),
  );
  write(
    `${username} has no second factor and no passkeys any more; every session and token has ended.`,
  );
}

async function promote(
  administration: Administration,
  username: string,
  role: string,
  write: Write,
): Promise<void> {
  if (role !== "admin" && role !== "moderator" && role !== "user")
    throw new UsageError("A role is admin, moderator or user.");
  await explain(username, () =>
    administration.setRole(COMMAND_LINE, { username }, role),
  );
  write(`${username} is now ${role}.`);
}

async function approve(
  administration: Administration,
  username: string,
  write: Write,
): Promise<void> {
  await explain(username, () =>
    administration.approve(COMMAND_LINE, { username }),
  );
  write(`${username} can sign in now.`);
}

async function reject(
  administration: Administration,
  username: string,
  write: Write,
): Promise<void> {
  await explain(username, () =>
    administration.reject(COMMAND_LINE, { username }),
  );
  write(`${username} is gone.`);
}

async function explain(
  username: string,
  change: () => Promise<unknown>,
): Promise<void> {
  try {
    await change();
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    if (error.code === "user_not_found")
      throw new UsageError(`There is no account ${username}.`);
    throw new UsageError(error.message);
  }
}
