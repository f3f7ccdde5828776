import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import type { EventRecord } from "../../../packages/server/test/support/server/wire.ts";
import {
  eventually,
  KithProcess,
  type KithOptions,
} from "../../support/kith-process.ts";
import { Resident } from "../../support/resident.ts";
import { launchBrowser } from "../../support/browser.ts";
import { Newcomer, type Sight } from "./newcomer.ts";

/** Two servers, and a browser. */
export type Stage = {
  readonly here: KithProcess;
  readonly there: KithProcess;
  readonly browser: Browser;
  close(): Promise<void>;
};

/** A newcomer to the first server, and somebody who lives on the second. */
export type Scene = {
  readonly here: KithProcess;
  readonly newcomer: Newcomer;
  readonly resident: Resident;
};

/** What the resident has written for the newcomer. */
export type Writings = {
  readonly plain: string;
  readonly poll: string;
  readonly event: EventRecord;
  readonly announcement: string;
};

export const WORDS = {
  plain: "The first swallows are back",
  poll: "Shall we walk on Sunday?",
  answers: ["Gladly", "Not this time"],
  event: "A walk by the river",
} as const;

/** Starts both servers. The first has an admin, so that it is ready for newcomers. */
export async function setStage(): Promise<Stage> {
  const options: KithOptions = {
    database: "sqlite",
    protocols: "activitypub,diaspora",
  };
  const [here, there] = await KithProcess.startAll([options, options]);
  assert.ok(here && there);
  const stopServers = async () => {
    await Promise.all([here.remove(), there.remove()]);
  };
  try {
    await setUp(here);
    const browser = await launchBrowser();
    const close = async () => {
      await browser.close();
      await stopServers();
    };
    return { here, there, browser, close };
  } catch (error) {
    await stopServers();
    throw error;
  }
}

async function setUp({ baseUrl }: KithProcess): Promise<void> {
  const password = "correct horse";
  const body = new URLSearchParams({
    ...{ username: "ada", password, confirm: password },
  });
  const answer = await fetch(`${baseUrl}/setup`, {
    ...{ method: "POST", body, redirect: "manual" },
  });
  assert.equal(answer.status, 302, await answer.text());
}

/** @param names of the newcomer and of the resident */
export async function openScene(
  { here, there, browser }: Stage,
  [newcomer, resident]: readonly [string, string],
  sight: Sight,
): Promise<Scene> {
  return {
    here,
    newcomer: await Newcomer.arrive(browser, newcomer, sight),
    resident: await Resident.settle(there, resident),
  };
}

/** The resident follows the newcomer back, and writes. */
export async function writeBack({
  here,
  newcomer,
  resident,
}: Scene): Promise<Writings> {
  const handle = here.handle(newcomer.username);
  await eventually(async () => {
    const notices = await resident.api.getList("/notifications");
    assert.equal(notices.length, 1, "the newcomer follows the resident");
  });
  const { ID: person } = await resident.api.post("/search", { handle });
  const aspect = await resident.gather("Neighbours", []);
  await resident.api.post(`/people/${String(person)}/aspects/${aspect}`);
  const plain = await resident.publish(WORDS.plain);
  const poll = await resident.publish(WORDS.poll, {
    ...{ question: "Sunday?", answers: WORDS.answers },
  });
  const event = await resident.invite(WORDS.event);
  const [newest] = await resident.api.getList("/posts?limit=1");
  return { plain, poll, event, announcement: String(newest?.["Guid"]) };
}
