import type { RelayList } from "../../features/relays/index.ts";
import { startTable } from "../table.ts";
import { UsageError, type Write } from "../usage.ts";

/** `kith relays …` @throws {UsageError} */
export async function runRelaysCommand(
  relays: RelayList,
  words: readonly string[],
  write: Write,
): Promise<void> {
  const [verb, text, ...more] = words;
  if (verb === "list" && text === undefined) return list(relays, write);
  if ((verb !== "add" && verb !== "remove") || more.length > 0)
    throw new UsageError("kith relays list|add|remove [URL]");
  const url = readUrl(relays, text);
  if (verb === "remove") {
    if (!(await relays.remove(COMMAND_LINE, url)))
      throw new UsageError(`${url} is not among the relays.`);
    return write(`${url} is no longer a relay of this server.`);
  }
  if (!(await relays.add(COMMAND_LINE, url)))
    throw new UsageError(`${url} is among the relays already.`);
  write(`${url} has been asked. kith relays list shows its answer.`);
}

/** An operator at the command line has no account. */
const COMMAND_LINE = null;

function readUrl(relays: RelayList, text: string | undefined): string {
  const url = relays.readUrl(text ?? "");
  if (url === undefined)
    throw new UsageError(
      "A relay is named by the address of its inbox (https://relay.example/inbox) or of its actor (https://relay.example/actor).",
    );
  return url;
}

async function list(relays: RelayList, write: Write): Promise<void> {
  const row = startTable(write, ["url", "kind", "state", "since"]);
  for (const { url, kind, state, createdAt } of await relays.list())
    row([url, kind, state, createdAt]);
}
