import { openDatabase } from "../../packages/server/src/db/open-database.ts";
import type { KithProcess } from "../support/kith-process.ts";

/** An outcome of more messages is the usual one, and says nothing. */
const FEW = 12;

type Received = {
  readonly outcome: string | null;
  readonly message_id: string | null;
  readonly processed_at: string | null;
};

/** How many messages of other servers ended how; those with a rare outcome by their ids. */
export async function describeReceived(server: KithProcess): Promise<string> {
  const rows = await listReceived(server);
  const lines: string[] = [];
  const byOutcome = Map.groupBy(rows, ({ outcome }) => outcome ?? "none yet");
  for (const [outcome, of] of byOutcome) {
    lines.push(`${outcome}: ${of.length}`);
    if (of.length > FEW) continue;
    for (const { message_id, processed_at } of of)
      lines.push(`  ${processed_at ?? "not processed"} ${message_id ?? ""}`);
  }
  return lines.join("\n");
}

async function listReceived({ location }: KithProcess): Promise<Received[]> {
  const db = await openDatabase(location);
  try {
    return await db.read
      .selectFrom("inbound_messages")
      .select(["outcome", "message_id", "processed_at"])
      .orderBy("id")
      .execute();
  } finally {
    await db.close();
  }
}
