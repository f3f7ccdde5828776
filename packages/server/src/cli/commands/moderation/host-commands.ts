import {
  HOST_DECISIONS,
  type ApplyHostPolicies,
  type HostPolicies,
  type HostPolicy,
  type PolicyChange,
} from "../../../features/host-policies/index.ts";
import { startTable } from "../../table.ts";
import { UsageError, type CommandOptions, type Write } from "../../usage.ts";
import { isHostListVerb, runHostListCommand } from "./host-list-commands.ts";

type HostCommandDeps = {
  readonly hostPolicies: HostPolicies;
  readonly applyHostPolicies: ApplyHostPolicies;
};

/** By their names on the command line. */
const DECISIONS: ReadonlyMap<string, PolicyChange> = new Map(
  Object.entries(HOST_DECISIONS).map(([name, policy]) => [
    name.replace("_", "-"),
    policy,
  ]),
);

const USAGE =
  "kith hosts list|block|silence|reject-media|allow|forgive [HOST] [--reason TEXT], kith hosts import FILE [--dry-run], kith hosts export|imports, kith hosts undo NUMBER";

/** An operator at the command line has no account. */
const COMMAND_LINE = null;

/** `kith hosts …` @throws {UsageError} */
export async function runHostsCommand(
  deps: HostCommandDeps,
  words: readonly string[],
  options: CommandOptions,
  write: Write,
): Promise<void> {
  const [verb = "", host, ...more] = words;
  const { reason, dryRun = false } = options;
  if (dryRun && verb !== "import") throw new UsageError(USAGE);
  if (verb === "list" && host === undefined) return list(deps, write);
  const { lists } = deps.hostPolicies;
  if (isHostListVerb(verb)) {
    if (more.length > 0 || reason !== undefined) throw new UsageError(USAGE);
    return runHostListCommand(lists, [verb, host], dryRun, write);
  }
  const decision = DECISIONS.get(verb);
  if ((!decision && verb !== "forgive") || more.length > 0)
    throw new UsageError(USAGE);
  if (host === undefined) throw new UsageError("The host is missing.");
  const { hostPolicies, applyHostPolicies } = deps;
  const isDone = decision
    ? await hostPolicies.set(COMMAND_LINE, host, {
        ...decision,
        ...(reason !== undefined && { reason }),
      })
    : await hostPolicies.forgive(COMMAND_LINE, host);
  if (!isDone)
    throw new UsageError(
      decision
        ? `${host} is no host, or this one.`
        : `There is no decision about ${host}.`,
    );
  const people = await applyHostPolicies();
  write(`Done. ${people} known people are affected.`);
}

async function list({ hostPolicies }: HostCommandDeps, write: Write) {
  const row = startTable(write, ["host", "decision", "since", "reason"]);
  for (const policy of await hostPolicies.list())
    row([policy.host, inWords(policy), policy.updatedAt, policy.reason]);
}

function inWords(policy: HostPolicy): string {
  const words = [
    policy.blocked && "blocked",
    policy.silenced && "silenced",
    policy.mediaRejected && "reject-media",
    policy.allowed && "allowed",
  ].filter((word) => word !== false);
  return words.join(",");
}
