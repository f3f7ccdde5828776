import type { HeldTexts } from "../../../features/held-texts/index.ts";
import { KithError } from "../../../lib/errors.ts";
import { inOneLine } from "../../in-one-line.ts";
import { startTable } from "../../table.ts";
import { UsageError, type CommandOptions, type Write } from "../../usage.ts";

const USAGE =
  "kith spam held, kith spam approve NUMBER, kith spam refuse NUMBER [--message TEXT]";

const PAGE = 500;
const DECISIONS = { approve: "approve", refuse: "refuse" } as const;

export const isAboutHeld = (verb = ""): boolean =>
  verb === "held" || verb in DECISIONS;

/** `kith spam held`, `approve` and `refuse`. @throws {UsageError} */
export async function runHeldCommand(
  heldTexts: HeldTexts,
  words: readonly string[],
  { message, ...others }: CommandOptions,
  write: Write,
): Promise<void> {
  const [verb, number = "", ...more] = words;
  const isDecided = verb === "approve" || verb === "refuse";
  const isFit =
    more.length === 0 &&
    isDecided === /^[1-9]\d{0,14}$/.test(number) &&
    (verb === "refuse" || message === undefined) &&
    others.days === undefined;
  if (!isFit || (!isDecided && number !== "")) throw new UsageError(USAGE);
  if (!isDecided) return list(heldTexts, write);
  try {
    const decision = DECISIONS[verb];
    await heldTexts.decide(null, Number(number), decision, message);
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    throw new UsageError(error.message);
  }
  write("Done.");
}

async function list(heldTexts: HeldTexts, write: Write): Promise<void> {
  const columns = ["number", "when", "author", "kind", "for", "rule", "text"];
  const row = startTable(write, columns);
  let before: number | undefined;
  for (;;) {
    const some = await heldTexts.list({ offset: 0, limit: PAGE, before });
    for (const { id, createdAt, author, kind, isPublic, rule, text } of some)
      row([
        ...[id, createdAt, author?.handle ?? "nobody known", kind],
        ...[isPublic ? "everyone" : "some", inOneLine(rule), inOneLine(text)],
      ]);
    if (some.length < PAGE) return;
    before = some.at(-1)?.id;
  }
}
