import assert from "node:assert/strict";
import type { DatabaseKind } from "../../packages/server/test/support/server/databases.ts";
import { ApiClient, type Json } from "./api-client.ts";
import type { Settings } from "./kith-command.ts";
import { eventually, KithProcess } from "./kith-process.ts";

/** Two servers with one user each: g1's posts reach g2, too. */
export type Conversation = {
  readonly one: KithProcess;
  readonly two: KithProcess;
  readonly g1: ApiClient;
  readonly g2: ApiClient;
  /** The aspect of g1 with g2. */
  readonly aspectId: string;
  remove(): Promise<void>;
};

/** Starts both, and waits until g2 has been notified of g1. */
export async function startConversation(options: {
  database: DatabaseKind;
  protocols: string;
  /** Additional settings of the first. */
  settings?: Settings;
}): Promise<Conversation> {
  const servers = await KithProcess.startAll([
    options,
    { ...options, settings: {} },
  ]);
  const remove = async () => {
    await Promise.all(servers.map((server) => server.remove()));
  };
  try {
    return { ...(await befriend(servers)), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function befriend([one, two]: readonly KithProcess[]): Promise<
  Omit<Conversation, "remove">
> {
  assert.ok(one && two);
  const g1 = await ApiClient.signUp(one.baseUrl, "g1");
  const g2 = await ApiClient.signUp(two.baseUrl, "g2");
  const person = await g1.post("/search", { handle: two.handle("g2") });
  const aspect = await g1.post("/aspects", { aspect_name: "test" });
  const aspectId = String(aspect["ID"]);
  await g1.post(`/people/${String(person["ID"])}/aspects/${aspectId}`);
  await eventually(async () => {
    assert.equal((await g2.getList("/notifications")).length, 1);
  });
  return { one, two, g1, g2, aspectId };
}

export function guidOf(record: Json | undefined): string {
  const guid = record?.["Guid"];
  assert.ok(typeof guid === "string", "a record has a Guid");
  return guid;
}

export function guidsOf(records: readonly Json[]): string[] {
  return records.map(guidOf);
}

/** The whole content of a list, page by page. */
export async function getWholeList(
  client: ApiClient,
  path: string,
): Promise<Json[]> {
  const all: Json[] = [];
  for (;;) {
    const page = await client.getList(`${path}?limit=20&offset=${all.length}`);
    all.push(...page);
    if (page.length < 20) return all;
  }
}
