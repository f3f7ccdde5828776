import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import {
  CalendarProgram,
  responsesIn,
} from "../../../packages/server/test/support/caldav/calendar-program.ts";
import type { DatabaseKind } from "../../../packages/server/test/support/server/databases.ts";
import { newUser } from "../../../packages/server/test/support/pages/visit.ts";
import { randomNumbers } from "../../e2e/walk/random-acts.ts";
import { ApiClient } from "../../support/api-client.ts";
import { KithProcess } from "../../support/kith-process.ts";
import {
  createForeignProgram,
  createPageEditor,
  createSyncingProgram,
  type Editor,
} from "./editors.ts";
import { CalendarRecord, keyOf, type Ending } from "./record.ts";

export type CalendarGame = {
  readonly database: DatabaseKind;
  readonly seconds: number;
  /** The same seed makes the same choices. */
  readonly seed: number;
};

export type CalendarResult = {
  /** What is lost, doubled, back, or seen differently, in words. */
  readonly faults: readonly string[];
  readonly kills: number;
  readonly events: number;
  readonly endings: Readonly<Record<Ending, number>>;
};

const BETWEEN_KILLS_MS = { least: 700, most: 3_000 };
/** However long a busy machine takes to start the server. */
const LEAST_KILLS = 2;
/** After a failure: the server may be away. */
const REST_MS = 50;
const MONTH = "/calendar?month=2031-06";

/**
 * Two programs and somebody at the pages edit one calendar, while the server is killed again
 * and again. At the end all of them see the same, and nothing that was acknowledged is lost.
 */
export async function playCalendars(
  game: CalendarGame,
): Promise<CalendarResult> {
  const { database } = game;
  const server = await KithProcess.start({
    ...{ database, protocols: "activitypub,diaspora" },
  });
  try {
    return await playOn(server, game);
  } finally {
    await server.remove();
  }
}

async function playOn(
  server: KithProcess,
  { seconds, seed }: CalendarGame,
): Promise<CalendarResult> {
  const record = new CalendarRecord();
  const table = await setUp(server, record, seed);
  const until = performance.now() + seconds * 1000;
  let isOver = false;
  const playing = table.editors.map(async ({ act }) => {
    while (!isOver)
      try {
        await act();
      } catch {
        await sleep(REST_MS);
      }
  });
  const random = randomNumbers(seed);
  let kills = 0;
  while (performance.now() < until || kills < LEAST_KILLS) {
    const { least, most } = BETWEEN_KILLS_MS;
    await sleep(least + random() * (most - least));
    await server.kill();
    kills += 1;
    await server.start();
  }
  isOver = true;
  await Promise.all(playing);
  const faults = await compare(table, record);
  const { endings, keys } = record;
  return { faults, kills, endings, events: keys.length };
}

type Table = {
  readonly editors: readonly Editor[];
  readonly program: CalendarProgram;
  readonly path: string;
  /** The names of the events on the page of the month. */
  readonly readMonth: () => Promise<readonly string[]>;
};

async function setUp(
  server: KithProcess,
  record: CalendarRecord,
  seed: number,
): Promise<Table> {
  const { baseUrl } = server;
  const visitor = await newUser(baseUrl, "ann");
  const { username, password, csrf_token, get, post } = visitor;
  const api = await ApiClient.signIn(baseUrl, username, password);
  const program = new CalendarProgram(server, username, password);
  const input = (n: number) => ({
    ...{ baseUrl, username, password, record },
    random: randomNumbers(seed * 1000 + n),
  });
  const foreign = await createForeignProgram(input(1), "phone");
  const [calendar] = await api.getList("/calendar");
  const home = await program.propfind(program.home, "<d:owner/>", "1");
  const path = responsesIn(home.text)
    .map(({ href }) => href)
    .find((href) => href !== program.home);
  assert.ok(path && calendar);
  const send = (to: string, form: Record<string, string>) =>
    post(to, { csrf_token, ...form });
  const at = { api, calendar: String(calendar["ID"]), send };
  return {
    ...{ program, path },
    editors: [
      foreign,
      createSyncingProgram(input(2), path, "desk"),
      createPageEditor(input(3), at),
    ],
    readMonth: async () => {
      const { status, text } = await get(MONTH);
      assert.equal(status, 200);
      const [, table = ""] = /<table([^]*?)<\/table>/.exec(text) ?? [];
      const names = table.matchAll(/<bdi>(item[^<]+)<\/bdi>/g);
      return [...names].map(([, name = ""]) => name);
    },
  };
}

async function compare(
  { editors, program, path, readMonth }: Table,
  record: CalendarRecord,
): Promise<string[]> {
  const whole = await program.send("GET", path);
  const texts = whole.text.split("BEGIN:VEVENT").slice(1);
  const server = texts.map((it) => /^SUMMARY:(.*?)\r$/m.exec(it)?.[1] ?? "");
  const faults = record.judge(server);
  const views = new Map([["the page of the month", await readMonth()]]);
  for (const { name, read } of editors) views.set(name, await read());
  const expected = server.toSorted().join("\n");
  for (const [name, view] of views)
    if (view.toSorted().join("\n") !== expected)
      faults.push(`${name} sees something else: ${differences(server, view)}`);
  for (const text of texts) {
    const isOfProgram = /^UID:item\d+@fire\.example\r$/m.test(text);
    const key = keyOf(/^SUMMARY:(.*?)\r$/m.exec(text)?.[1] ?? "");
    const isWhole =
      text.includes(`X-KEPT:${key}\r`) && text.includes("TRIGGER:-PT5M\r");
    if (isOfProgram && !isWhole) faults.push(`${key} has lost a property`);
  }
  return faults;
}

function differences(
  server: readonly string[],
  view: readonly string[],
): string {
  const missing = server.filter((it) => !view.includes(it));
  const more = view.filter((it) => !server.includes(it));
  return `without ${missing.join(", ")}; with ${more.join(", ")}`;
}
