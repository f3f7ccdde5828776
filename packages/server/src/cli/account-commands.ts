import type { Accounts, SignUpFault } from "../features/accounts/index.ts";
import { KithError } from "../lib/errors.ts";
import { readPassword } from "./read-password.ts";
import { UsageError, type Write } from "./usage.ts";

const FAULTS: Readonly<Record<SignUpFault, string>> = {
  username_blank: "The name is missing.",
  username_malformed:
    "A name has 1 to 30 characters, which are letters a to z, digits and _.",
  username_taken: "That name is taken, was taken once, or is reserved.",
  password_too_short: "A password has at least 6 characters.",
  password_too_long: "That password is too long.",
};

/** `kith account …` @throws {UsageError} */
export async function runAccountCommand(
  accounts: Accounts,
  words: readonly string[],
  write: Write,
): Promise<void> {
  const [verb, name, role] = words;
  switch (verb) {
    case "create":
      return create(accounts, needName(name), write);
    case "list":
      return list(accounts, write);
    case "reset-password":
      return resetPassword(accounts, needName(name), write);
    case "reset-second-factor":
      return resetSecondFactor(accounts, needName(name), write);
    case "promote":
      return promote(accounts, needName(name), role ?? "admin", write);
    case "approve":
      return approve(accounts, needName(name), write);
    default:
      throw new UsageError(
        "kith account create|list|approve|reset-password|reset-second-factor|promote [NAME]",
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
  write: Write,
): Promise<void> {
  const password = await readPassword(write);
  const result = await accounts.signUp({ username, password });
  if (result.kind === "refused")
    throw new UsageError(result.faults.map((fault) => FAULTS[fault]).join(" "));
  write(`Created the account ${result.account.username}.`);
}

async function list(accounts: Accounts, write: Write): Promise<void> {
  let after = 0;
  for (;;) {
    const page = await accounts.list(after, 500);
    for (const { username, role, state, createdAt } of page)
      write([username, role, state, createdAt].join("\t"));
    const last = page.at(-1);
    if (!last) return;
    after = last.id;
  }
}

async function resetPassword(
  accounts: Accounts,
  username: string,
  write: Write,
): Promise<void> {
  const password = await readPassword(write);
  await explain(username, () => accounts.resetPassword(username, password));
  write(
    `The password of ${username} is changed; every session and token has ended.`,
  );
}

async function resetSecondFactor(
  accounts: Accounts,
  username: string,
  write: Write,
): Promise<void> {
  await explain(username, () => accounts.resetSecondFactor(username));
  write(
    `${username} has no second factor and no passkeys any more; every session and token has ended.`,
  );
}

async function promote(
  accounts: Accounts,
  username: string,
  role: string,
  write: Write,
): Promise<void> {
  if (role !== "admin" && role !== "moderator" && role !== "user")
    throw new UsageError("A role is admin, moderator or user.");
  await explain(username, () => accounts.setRole(username, role));
  write(`${username} is now ${role}.`);
}

async function approve(
  accounts: Accounts,
  username: string,
  write: Write,
): Promise<void> {
  await explain(username, () => accounts.approve(username));
  write(`${username} can sign in now.`);
}

async function explain(
  username: string,
  change: () => Promise<void>,
): Promise<void> {
  try {
    await change();
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    if (error.code === "user_not_found")
      throw new UsageError(`There is no account ${username}.`);
    throw new UsageError(`${error.message}.`);
  }
}
