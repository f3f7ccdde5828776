import type { PostId } from "../../../features/ids.ts";
import type { Receipts } from "../../../features/receipts/index.ts";
import { inOneLine } from "../../in-one-line.ts";
import { startTable } from "../../table.ts";
import { UsageError, type CommandOptions, type Write } from "../../usage.ts";

export type PostCommandDeps = {
  readonly posts: {
    find(key: { guid: string }): Promise<{ id: PostId } | undefined>;
  };
  readonly receipts: Pick<Receipts, "list">;
};

const AT_ONCE = 500;

/** `kith post …` @throws {UsageError} */
export async function runPostCommand(
  { posts, receipts }: PostCommandDeps,
  words: readonly string[],
  { json }: CommandOptions,
  write: Write,
): Promise<void> {
  const [verb, guid, ...more] = words;
  if (verb !== "deliveries" || guid === undefined || more.length > 0)
    throw new UsageError("kith post deliveries GUID [--json]");
  const post = await posts.find({ guid });
  if (!post) throw new UsageError(`There is no post ${inOneLine(guid)}.`);
  const all = [];
  for (let offset = 0; ; offset += AT_ONCE) {
    const page = await receipts.list(post.id, { offset, limit: AT_ONCE });
    all.push(...page);
    if (page.length < AT_ONCE) break;
  }
  if (json) return write(JSON.stringify({ deliveries: all }));
  const columns = ["server", "state", "delivered", "given up", "next"];
  const row = startTable(write, columns);
  for (const { host, state, deliveredAt, failedAt, nextAttemptAt } of all)
    row([
      host,
      state,
      `delivered ${deliveredAt ?? "-"}`,
      `given up ${failedAt ?? "-"}`,
      `next ${nextAttemptAt ?? "-"}`,
    ]);
  if (all.length === 0) write("It was sent to no other server.");
}
