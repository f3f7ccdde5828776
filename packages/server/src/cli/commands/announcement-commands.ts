import type { Announcements } from "../../features/announcements/index.ts";
import type { AnnouncementId } from "../../features/ids.ts";
import { KithError } from "../../lib/errors.ts";
import { inOneLine } from "../in-one-line.ts";
import { startTable } from "../table.ts";
import { UsageError, type Write } from "../usage.ts";

const USAGE =
  "kith announcement create WORDS, kith announcement list, or kith announcement withdraw NUMBER";
const AT_ONCE = 500;

/** An operator at the command line has no account. */
const COMMAND_LINE = null;

/** `kith announcement …` @throws {UsageError} */
export async function runAnnouncementCommand(
  announcements: Announcements,
  words: readonly string[],
  write: Write,
): Promise<void> {
  const [verb, ...more] = words;
  if (verb === "create" && more.length > 0)
    return create(announcements, more.join(" "), write);
  if (verb === "list" && more.length === 0) return list(announcements, write);
  if (verb === "withdraw" && more.length === 1)
    return withdraw(announcements, more[0] ?? "", write);
  throw new UsageError(USAGE);
}

async function create(
  announcements: Announcements,
  text: string,
  write: Write,
): Promise<void> {
  try {
    const { id } = await announcements.publish(COMMAND_LINE, { text });
    write(`Announcement ${id} is shown to everybody here.`);
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    throw new UsageError(error.message);
  }
}

async function list(announcements: Announcements, write: Write): Promise<void> {
  const row = startTable(write, ["number", "since", "until", "text"]);
  for (let offset = 0; ; offset += AT_ONCE) {
    const page = await announcements.list({ offset, limit: AT_ONCE });
    for (const { id, createdAt, endsAt, text } of page)
      row([id, createdAt, endsAt ?? "", inOneLine(text)]);
    if (page.length < AT_ONCE) return;
  }
}

async function withdraw(
  announcements: Announcements,
  number: string,
  write: Write,
): Promise<void> {
  if (!/^[1-9]\d{0,14}$/.test(number))
    throw new UsageError(
      `${inOneLine(number)} is not the number of an announcement.`,
    );
  try {
    const id = Number(number) as AnnouncementId;
    await announcements.withdraw(COMMAND_LINE, id);
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    throw new UsageError(`There is no announcement ${number}.`);
  }
  write(`Announcement ${number} is withdrawn.`);
}
