import type { OperatedQueue } from "../../features/queue/index.ts";
import { startTable } from "../table.ts";
import { UsageError, type CommandOptions, type Write } from "../usage.ts";

type Group = Awaited<ReturnType<OperatedQueue["list"]>>[number];

/** An operator at the command line has no account. */
const COMMAND_LINE = null;

const USAGE = "kith queue list|retry|drop [--host HOST] [--kind KIND] [--json]";

/** `kith queue …` @throws {UsageError} */
export async function runQueueCommand(
  queue: OperatedQueue,
  words: readonly string[],
  options: CommandOptions,
  write: Write,
): Promise<void> {
  const { host, kind, json } = options;
  const filter = { host, kind };
  const [verb, ...more] = words;
  if (more.length > 0) throw new UsageError(USAGE);
  const say = (value: object, lines: readonly string[]): void =>
    json ? write(JSON.stringify(value)) : lines.forEach(write);
  switch (verb) {
    case "list": {
      const jobs = await queue.list(filter);
      if (json) return write(JSON.stringify({ jobs }));
      const row = startTable(write, COLUMNS);
      for (const group of jobs) row(describe(group));
      return jobs.length > 0 ? undefined : write(NOTHING);
    }
    case "retry": {
      const done = await queue.retry(COMMAND_LINE, filter);
      return say(done, describeRetry(done));
    }
    case "drop": {
      requireConfirmation(options);
      const done = await queue.drop(COMMAND_LINE, filter);
      return say(done, describeDrop(done));
    }
    default:
      throw new UsageError(USAGE);
  }
}

const NOTHING = "No jobs.";
const COLUMNS = [
  ...["kind", "server", "waiting", "running", "dead"],
  ...["oldest", "next", "last error"],
];

/**
 * Dropped jobs never come back: other servers miss updates, or we miss theirs.
 */
function requireConfirmation({ host, kind, yes }: CommandOptions): void {
  if (host === undefined && kind === undefined)
    throw new UsageError(
      "kith queue drop needs --host or --kind: it does not empty the whole queue.",
    );
  if (!yes)
    throw new UsageError(
      "Dropped jobs are lost: look at them with kith queue list, then add --yes.",
    );
}

function describe(group: Group): string[] {
  const { nextAt, lastError } = group;
  return [
    group.kind,
    group.host ?? "-",
    `${group.waiting} waiting`,
    `${group.running} running`,
    `${group.dead} dead`,
    `oldest ${inUnits(group.oldestSeconds)}`,
    `next ${nextAt ?? "-"}`,
    lastError ?? "-",
  ];
}

function inUnits(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

function describeRetry(done: {
  waiting: number;
  dead: number;
  overtaken: number;
}): string[] {
  return [
    `Due now: ${done.waiting} waiting and ${done.dead} dead jobs.`,
    ...(done.overtaken > 0
      ? [
          `${done.overtaken} stay dead: later jobs of the same sender to the same inbox are done or running, and the order is kept.`,
        ]
      : []),
  ];
}

function describeDrop(done: { dropped: number; running: number }): string[] {
  return [
    `Dropped: ${done.dropped}.`,
    ...(done.running > 0 ? [`${done.running} are running and were kept.`] : []),
  ];
}
