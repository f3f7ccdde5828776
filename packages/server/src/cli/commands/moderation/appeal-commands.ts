import type { People } from "../../../features/people/index.ts";
import type { Strikes } from "../../../features/strikes/index.ts";
import type { Suspensions } from "../../../features/suspensions/index.ts";
import { KithError } from "../../../lib/errors.ts";
import { inOneLine } from "../../in-one-line.ts";
import { startTable } from "../../table.ts";
import { UsageError, type Write } from "../../usage.ts";

type AppealsFeatures = {
  readonly people: Pick<People, "listById">;
  readonly strikes: Pick<Strikes, "appeals">;
  readonly suspensions: Pick<Suspensions, "settleAppeal">;
};

const AT_ONCE = 500;
const COLUMNS = ["number", "when", "person", "decision", "appeal"] as const;

/** `kith appeals …` @throws {UsageError} */
export async function runAppealsCommand(
  features: AppealsFeatures,
  words: readonly string[],
  write: Write,
): Promise<void> {
  const [verb, number, ...more] = words;
  if (verb === "list" && number === undefined) return list(features, write);
  if ((verb !== "accept" && verb !== "reject") || more.length > 0)
    throw new UsageError("kith appeals list|accept NUMBER|reject NUMBER");
  const id = readNumber(number);
  try {
    await features.suspensions.settleAppeal(null, id, verb === "accept");
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    throw new UsageError(error.message);
  }
  write("Done.");
}

function readNumber(text: string | undefined): number {
  if (text === undefined) throw new UsageError("The number is missing.");
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new UsageError(`${inOneLine(text)} is not the number of an appeal.`);
  return Number(text);
}

async function list(
  { people, strikes }: AppealsFeatures,
  write: Write,
): Promise<void> {
  const row = startTable(write, COLUMNS);
  let before: number | undefined;
  for (;;) {
    const page = { offset: 0, limit: AT_ONCE, before };
    const open = await strikes.appeals.list("open", page);
    const known = await people.listById(open.map(({ personId }) => personId));
    for (const { id, personId, action, appeal } of open) {
      const handle = known.get(personId)?.handle ?? "nobody known";
      const { appealedAt = "", text = "" } = appeal ?? {};
      row([id, appealedAt, handle, action, inOneLine(text)]);
    }
    if (open.length < AT_ONCE) return;
    before = open.at(-1)?.id;
  }
}
