import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { compose } from "../packages/server/src/compose/server.ts";
import { readConfig } from "../packages/server/src/config/config.ts";
import { migrate } from "../packages/server/src/db/migrate.ts";
import { openDatabase } from "../packages/server/src/db/open-database.ts";
import { systemClock } from "../packages/server/src/lib/time/clock.ts";
import { silentLog } from "../packages/server/src/observability/log.ts";
import { writeResults } from "./kit/results.ts";

const EVENTS = 10_000;
/** Of a hundred events, so many repeat. */
const SERIES = 5;
const REQUESTS = 50;
const WARM_UP = 5;
const USER = { username: "planner", password: "correct horse" };

const NAMESPACES = `xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"`;

type Request = {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
};
type Program = (request: Request) => Promise<string>;

/** Measures a calendar of ten thousand events, as a calendar program synchronizes it. */
export async function benchCalendars(
  options: ReadonlyMap<string, string>,
): Promise<void> {
  const count = Number(options.get("events") ?? EVENTS);
  const dataDir = mkdtempSync(path.join(tmpdir(), "kith-bench-"));
  const kith = await start(dataDir);
  try {
    const program = await signUp(kith.baseUrl);
    const calendar = `/dav/calendars/${USER.username}/large/`;
    await program({ method: "MKCALENDAR", path: calendar });
    await fill(program, calendar, count);
    const rows = await measureAll(program, calendar);
    writeResults({
      name: "calendars",
      options: count === EVENTS ? "" : ` --events=${count}`,
      head: ["", "p50", "p95", "processor p50", "answer", "target"],
      rows,
    });
  } finally {
    await kith.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function start(dataDir: string) {
  const file = path.join(dataDir, "kith.sqlite");
  const db = await openDatabase({ kind: "sqlite", file });
  await migrate(db, systemClock);
  const { config } = readConfig(
    { KITH_DATA_DIR: dataDir, KITH_RATE_LIMITS: "off" },
    {},
  );
  const server = compose({
    ...{ config, db, clock: systemClock, log: silentLog(), version: "0" },
    secretKey: randomBytes(32),
  });
  const app = await server.createApp();
  const baseUrl = await app.listen({ host: "127.0.0.1", port: 0 });
  return {
    baseUrl,
    close: async () => {
      await app.close();
      await server.close();
      await db.close();
    },
  };
}

async function signUp(baseUrl: string): Promise<Program> {
  const { username, password } = USER;
  const fields = { username, password, confirm: password };
  const answer = await fetch(`${baseUrl}/users/sign_up`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  });
  if (answer.status !== 302)
    throw new Error(`The sign-up answered ${answer.status}`);
  const basic = Buffer.from(`${username}:${password}`).toString("base64");
  return async ({ method, path: to, body }) => {
    const response = await fetch(baseUrl + to, {
      method,
      headers: {
        authorization: `Basic ${basic}`,
        depth: "1",
        ...(method === "PUT" && { "content-type": "text/calendar" }),
      },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    if (!response.ok)
      throw new Error(`${method} ${to} answered ${response.status}: ${text}`);
    return text;
  };
}

/** Over ten years around now; some repeat for ever. */
async function fill(
  program: Program,
  calendar: string,
  count: number,
): Promise<void> {
  const beginMs = Date.now() - 5 * 365 * 86_400_000;
  for (let n = 0; n < count; n += 1) {
    const at = new Date(beginMs + (n * 10 * 365 * 86_400_000) / count);
    const repeats = n % 100 < SERIES;
    const name = `event-${n}`;
    const body = icalOf(name, at, repeats ? n : undefined);
    await program({ method: "PUT", path: `${calendar}${name}.ics`, body });
    if (n % 1000 === 0) process.stderr.write(`${n} events\n`);
  }
}

function icalOf(uid: string, at: Date, series: number | undefined): string {
  const written = (date: Date) =>
    `${date.toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
  const rules = ["FREQ=DAILY", "FREQ=WEEKLY;INTERVAL=2", "FREQ=YEARLY"];
  return [
    ...["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Kith//Bench//EN"],
    ...["BEGIN:VEVENT", `UID:${uid}`, "DTSTAMP:20270101T000000Z"],
    `DTSTART:${written(at)}`,
    `DTEND:${written(new Date(Number(at) + 3_600_000))}`,
    ...[`SUMMARY:Meeting ${uid}`, "LOCATION:Room 1"],
    ...["DESCRIPTION:The agenda is in the wiki\\, as usual."],
    ...(series === undefined ? [] : [`RRULE:${rules[series % rules.length]}`]),
    ...["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT15M", "END:VALARM"],
    ...["END:VEVENT", "END:VCALENDAR", ""],
  ].join("\r\n");
}

const syncBody = (token: string) =>
  `<d:sync-collection ${NAMESPACES}><d:sync-token>${token}</d:sync-token><d:sync-level>1</d:sync-level><d:prop><d:getetag/></d:prop></d:sync-collection>`;

const tokenIn = (text: string): string =>
  /<d:sync-token>([^<]*)<\/d:sync-token><\/d:multistatus>/.exec(text)?.[1] ??
  "";

async function measureAll(
  program: Program,
  calendar: string,
): Promise<string[][]> {
  const report = (body: string) =>
    program({ method: "REPORT", path: calendar, body });
  let token = "";
  /** All changes, and then all objects, as programs read them. */
  const initial = async () => {
    let length = 0;
    const hrefs: string[] = [];
    for (token = ""; ;) {
      const text = await report(syncBody(token));
      token = tokenIn(text);
      length += text.length;
      for (const [, href = ""] of text.matchAll(/<d:href>([^<]*\.ics)</g))
        hrefs.push(href);
      if (!text.includes("HTTP/1.1 507")) break;
    }
    for (let at = 0; at < hrefs.length; at += 100) {
      const some = hrefs.slice(at, at + 100);
      const named = some.map((href) => `<d:href>${href}</d:href>`).join("");
      const text = await report(
        `<c:calendar-multiget ${NAMESPACES}><d:prop><d:getetag/><c:calendar-data/></d:prop>${named}</c:calendar-multiget>`,
      );
      length += text.length;
    }
    return length;
  };
  let change = 0;
  const incremental = async () => {
    const text = await report(syncBody(token));
    token = tokenIn(text);
    return text.length;
  };
  const touch = async () => {
    change += 1;
    const name = `changed-${change % 7}`;
    const at = new Date(Date.now() + change * 1000);
    const body = icalOf(name, at, undefined);
    await program({ method: "PUT", path: `${calendar}${name}.ics`, body });
  };
  const range = (months: number) => {
    const written = (at: Date) =>
      `${at.toISOString().slice(0, 10).replaceAll("-", "")}T000000Z`;
    const begin = new Date(Date.now() + months * 30 * 86_400_000);
    const end = new Date(Number(begin) + 31 * 86_400_000);
    return `<c:time-range start="${written(begin)}" end="${written(end)}"/>`;
  };
  const query = async (months: number) =>
    (
      await report(
        `<c:calendar-query ${NAMESPACES}><d:prop><d:getetag/></d:prop><c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT">${range(months)}</c:comp-filter></c:comp-filter></c:filter></c:calendar-query>`,
      )
    ).length;
  const rows = [
    await measure("initial synchronization, all objects", initial, {
      ...{ times: 3, target: "3 s" },
    }),
    await measure("changes after one change", incremental, {
      ...{ target: "20 ms", before: touch },
    }),
    await measure("a month's query, first", () => query(0), { times: 1 }),
    await measure("a month's query", () => query(0), { target: "20 ms" }),
  ];
  for (const row of rows) process.stderr.write(`${row.join("  ")}\n`);
  return rows;
}

async function measure(
  name: string,
  request: () => Promise<number>,
  how: {
    readonly times?: number;
    readonly target?: string;
    readonly before?: () => Promise<void>;
  },
): Promise<string[]> {
  const { times = REQUESTS, target = "", before } = how;
  const took: number[] = [];
  const worked: number[] = [];
  let length = 0;
  const warmUp = times === REQUESTS ? WARM_UP : 0;
  for (let count = -warmUp; count < times; count += 1) {
    await before?.();
    const startedAt = performance.now();
    const usage = process.threadCpuUsage();
    length = await request();
    if (count < 0) continue;
    took.push(performance.now() - startedAt);
    const { user, system } = process.threadCpuUsage(usage);
    worked.push((user + system) / 1000);
  }
  const at = (values: readonly number[], part: number) => {
    const sorted = values.toSorted((one, other) => one - other);
    const ms = sorted[Math.floor(sorted.length * part)] ?? NaN;
    return `${ms.toFixed(1)} ms`;
  };
  const answer = `${(length / 1024).toFixed(0)} kB`;
  const clock = [at(took, 0.5), at(took, 0.95)];
  return [name, ...clock, at(worked, 0.5), answer, target];
}
