import { listOf, textIn, type Json } from "../json.ts";
import { isByWho } from "./checks-reactions.ts";
import { askForPost } from "./checks-posts.ts";
import { compareMore } from "../shown/more.ts";
import { brief, failing, holding, type Outcome } from "../outcome.ts";
import { authorOf, type Records } from "../shown/records.ts";
import { matchesText, plain } from "../shown/text-match.ts";
import { fillInAll, type Reader, type World } from "../world.ts";

type WantedEvent = {
  readonly by?: unknown;
  readonly summary?: unknown;
  readonly start?: string;
  readonly end?: string | null;
  readonly timezone?: string | null;
  readonly allDay?: boolean;
  readonly location?: unknown;
  readonly description?: unknown;
  readonly public?: boolean;
  readonly visibleTo?: readonly Reader[];
  readonly hiddenFrom?: readonly Reader[];
  readonly more?: unknown;
};

export async function event(
  world: World,
  records: Records,
  value: unknown,
): Promise<Outcome> {
  const wanted = fillInAll(world, value as WantedEvent);
  const reader = wanted.visibleTo?.find((one) => one !== "anonymous");
  const who = reader === "bob" ? "bob" : "alice";
  const found = await records.events(who, wanted);
  const all = await records.list(who, "/calendar/events");
  let nearest = failing(
    `no event ${brief({ by: wanted.by, summary: wanted.summary })}; there is: ${describeAll(all)}`,
  );
  for (const one of found) {
    const differs = [
      ...faultsOfTimes(one, wanted),
      ...faultsOfTexts(one, wanted),
      ...(await faultsOfVisibility(world, records, one, wanted)),
    ];
    const more = await compareMore(world, "event", one, wanted.more);
    differs.push(...more.differs);
    if (differs.length === 0)
      return holding(`event ${describe(one)}`, more.skipped);
    nearest = failing(`event ${describe(one)}: ${differs.join(", ")}`);
  }
  return nearest;
}

function faultsOfTimes(record: Json, wanted: WantedEvent): string[] {
  const faults: string[] = [];
  const [start, end] = [textIn(record, "Start"), textIn(record, "End")];
  if (wanted.start !== undefined && !isSameTime(start, wanted.start))
    faults.push(`Start is ${start ?? "absent"}`);
  if (wanted.end === null && (end ?? "") !== "")
    faults.push(`End is ${end ?? ""}`);
  if (typeof wanted.end === "string" && !isSameTime(end, wanted.end))
    faults.push(`End is ${end ?? "absent"}`);
  const zone = textIn(record, "Timezone") ?? "";
  const isNoZone = zone === "" || zone === "UTC" || zone === "Etc/UTC";
  const isRightZone =
    wanted.timezone === null ? isNoZone : zone === wanted.timezone;
  if (wanted.timezone !== undefined && !isRightZone)
    faults.push(`Timezone is ${zone}`);
  if (wanted.allDay !== undefined && record["AllDay"] !== wanted.allDay)
    faults.push(`AllDay is ${String(record["AllDay"])}`);
  return faults;
}

function isSameTime(seen: string | undefined, wanted: string): boolean {
  return seen !== undefined && Date.parse(seen) === Date.parse(wanted);
}

function faultsOfTexts(record: Json, wanted: WantedEvent): string[] {
  const faults: string[] = [];
  for (const [name, text] of [
    ["Location", wanted.location],
    ["Description", wanted.description],
  ] as const)
    if (!matchesText(String(record[name]), text))
      faults.push(`${name} is ${brief(String(record[name]))}`);
  if (wanted.public !== undefined && record["Public"] !== wanted.public)
    faults.push(`Public is ${String(record["Public"])}`);
  return faults;
}

async function faultsOfVisibility(
  world: World,
  records: Records,
  record: Json,
  { visibleTo = [], hiddenFrom = [] }: WantedEvent,
): Promise<string[]> {
  const faults: string[] = [];
  for (const reader of visibleTo)
    if (!(await canSee(world, records, record, reader)))
      faults.push(`${reader} does not see it`);
  for (const reader of hiddenFrom)
    if (await canSee(world, records, record, reader))
      faults.push(`${reader} sees it`);
  return faults;
}

/** Viewers without a token see an event with its announcing post. */
async function canSee(
  world: World,
  records: Records,
  record: Json,
  reader: Reader,
): Promise<boolean> {
  const guid = String(record["Guid"]);
  if (reader !== "anonymous") {
    const path = `/calendar/events/${guid}`;
    return (await world.services[reader].find(path)) !== undefined;
  }
  const posts = await records.posts(
    "alice",
    listOf(authorOf(record)) as string[],
  );
  for (const post of posts)
    if (textIn(post["Event"], "Guid") === guid) {
      const status = await askForPost(world, reader, String(post["Guid"]));
      if (status === 200) return true;
    }
  return false;
}

export async function noEvent(
  world: World,
  records: Records,
  value: unknown,
): Promise<Outcome> {
  const wanted = fillInAll(world, value as WantedEvent);
  for (const reader of ["alice", "bob"] as const) {
    const [found] = await records.events(reader, wanted);
    if (found) return failing(`${reader} sees ${describe(found)}`);
  }
  return holding("no such event");
}

type Wanted = {
  readonly event: unknown;
  readonly by: string;
  readonly status?: string;
  readonly count?: number;
};

export async function participation(
  world: World,
  records: Records,
  value: unknown,
): Promise<Outcome> {
  const { event: ref, by, status, count } = value as Wanted;
  const record = await records.event(ref);
  if (!record) return failing("the event is not here");
  const all = listOf(record["Participations"]) as Json[];
  const own = all.filter((one) => isByWho(world, one, by));
  const seen = describeAnswers(all);
  if (!own.some((one) => one["Status"] === status))
    return failing(`participations are: ${seen}`);
  return count === undefined || own.length === count
    ? holding(`participation ${describeAnswers(own)}`)
    : failing(`${own.length} participations instead of ${count}: ${seen}`);
}

export async function noParticipation(
  world: World,
  records: Records,
  value: unknown,
): Promise<Outcome> {
  const { event: ref, by, status } = value as Wanted;
  const record = await records.event(ref);
  if (!record) return holding("the event is not here");
  const found = (listOf(record["Participations"]) as Json[]).filter(
    (one) =>
      isByWho(world, one, by) &&
      (status === undefined || one["Status"] === status),
  );
  return found.length === 0
    ? holding(`no participation of ${by}`)
    : failing(`participation ${describeAnswers(found)}`);
}

function describeAnswers(list: readonly Json[]): string {
  const lines = list.map(
    (one) => `${String(one["Status"])} by ${authorOf(one) ?? "?"}`,
  );
  return brief(lines.join(", ") || "none", 300);
}

function describe(record: Json): string {
  return `"${plain(String(record["Summary"]))}" by ${authorOf(record) ?? "?"}`;
}

function describeAll(records: readonly Json[]): string {
  return brief(records.map(describe).join(", ") || "none", 300);
}
