import type { InvitationId } from "../../features/ids.ts";
import {
  invitationLink,
  type Invitations,
} from "../../features/invitations/index.ts";
import { KithError } from "../../lib/errors.ts";
import { startTable } from "../table.ts";
import { UsageError, type CommandOptions, type Write } from "../usage.ts";

type InvitationCommandDeps = {
  readonly invitations: Invitations;
  /** Without a trailing slash. */
  readonly baseUrl: string;
};

const USAGE =
  "kith invitation create [--uses NUMBER] [--days NUMBER], kith invitation list, or kith invitation revoke NUMBER";
const AT_ONCE = 500;

/** `kith invitation …` @throws {UsageError} */
export async function runInvitationCommand(
  deps: InvitationCommandDeps,
  words: readonly string[],
  options: CommandOptions,
  write: Write,
): Promise<void> {
  const [verb, id, ...more] = words;
  const isOption = options.uses !== undefined || options.days !== undefined;
  if (verb === "create" && id === undefined)
    return create(deps, options, write);
  if (isOption || more.length > 0) throw new UsageError(USAGE);
  if (verb === "list" && id === undefined) return list(deps, write);
  if (verb !== "revoke" || id === undefined) throw new UsageError(USAGE);
  return revoke(deps, id, write);
}

async function create(
  { invitations, baseUrl }: InvitationCommandDeps,
  { uses, days }: CommandOptions,
  write: Write,
): Promise<void> {
  const wanted = { uses: readNumber(uses), days: readNumber(days) };
  try {
    const { code, invitation } = await invitations.create(null, wanted);
    write(invitationLink(baseUrl, code));
    write(
      `It makes ${invitation.maxUses} ${invitation.maxUses === 1 ? "account" : "accounts"} until ${invitation.expiresAt}, and is not shown again.`,
    );
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    throw new UsageError(
      error.code === "forbidden"
        ? "Invitations are switched off (KITH_INVITATIONS)."
        : "An invitation is for 1 to 1000 accounts, and for 1 to 365 days.",
    );
  }
}

function readNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

async function list(
  { invitations }: InvitationCommandDeps,
  write: Write,
): Promise<void> {
  const row = startTable(write, ["number", "by", "state", "uses", "until"]);
  for (let offset = 0; ; offset += AT_ONCE) {
    const page = await invitations.list({ offset, limit: AT_ONCE });
    for (const one of page) {
      const uses = `${one.uses}/${one.maxUses}`;
      const state = invitations.stateOf(one);
      row([one.id, one.byName, state, uses, one.expiresAt]);
    }
    if (page.length < AT_ONCE) return;
  }
}

async function revoke(
  { invitations }: InvitationCommandDeps,
  id: string,
  write: Write,
): Promise<void> {
  const missing = new UsageError(`There is no invitation ${id}.`);
  if (!/^[1-9]\d{0,14}$/.test(id)) throw missing;
  try {
    await invitations.revoke(null, Number(id) as InvitationId);
  } catch (error) {
    throw error instanceof KithError ? missing : error;
  }
  write(`The invitation ${id} is no longer valid.`);
}
