import type { Reader } from "../../db/db.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import type { QuotablePeople } from "../../db/schema/columns/stored-names.ts";
import type { UserId } from "../ids.ts";

/** The choices of a user for texts that do not say otherwise. */
type UsualChoices = {
  /** null where it named no usual language. */
  readonly language: string | null;
  readonly quotableBy: QuotablePeople;
};

const ofUser = prepareQuery<
  { userId: UserId },
  { language: string | null; quotable_by: QuotablePeople | null }
>(
  (reader, value) =>
    reader
      .selectFrom("users")
      .select(["post_language as language", "quotable_by"])
      .where("id", "=", value("userId"))
      .compile(),
  { types: { userId: "bigint" } },
);

/** The choices of a user for what it writes without choosing. */
export async function findUsualChoices(
  reader: Reader,
  userId: UserId,
): Promise<UsualChoices> {
  const [row] = await ofUser(reader, { userId });
  return {
    language: row?.language ?? null,
    quotableBy: row?.quotable_by ?? "everyone",
  };
}
