import type { JsonObject } from "@kith/activitypub";
import { after, before } from "node:test";
import type { KithServer, TestPerson } from "../server/kith-server.ts";
import { sendFollow } from "../remote/linked-data.ts";
import { readPeerVector } from "../remote/peer-vectors.ts";
import {
  RemoteServer,
  type Delivered,
  type RemoteActor,
} from "../remote/remote-server.ts";
import type { EventRecord } from "../server/wire.ts";

type PeerName = Parameters<typeof readPeerVector>[2][0];

/** A text in a document, or the empty one. */
export function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** People on another server who plan events and come to those here. */
export type Planners = ReturnType<typeof usePlanners>;

/** The same, for all tests of a suite. Each test has its own people. */
export function usePlanners(kith: () => KithServer) {
  let remote: RemoteServer | undefined;
  let names = 0;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote?.close());
  const server = (): RemoteServer => {
    if (!remote) throw new Error("The other server does not run yet");
    return remote;
  };
  const stranger = () => server().actor(`planner${++names}`);
  const read = (
    file: string,
    name: PeerName,
    actor: RemoteActor,
    values: Readonly<Record<string, string>> = {},
  ) => readPeerVector(file, server(), [name, actor], values);
  return {
    stranger,
    origin: () => server().origin,
    /** A remote person followed by the local one. */
    followed: async (by: TestPerson): Promise<RemoteActor> => {
      const other = stranger();
      await sendFollow(kith(), by, other);
      return other;
    },
    /** Sent activities of one type that name this actor. */
    sent: (actor: RemoteActor, type: string): JsonObject[] =>
      server()
        .ofType(type)
        .map(({ activity }) => activity)
        .filter(({ to, cc }) => [to, cc].flat().includes(actor.id)),
    /** Activities received in the actor's own inbox. */
    deliveredTo: (actor: RemoteActor): Delivered[] =>
      server().delivered.filter(({ path }) =>
        path.startsWith(`${new URL(actor.id).pathname}/`),
      ),
    read,
    /** Lets a peer send a vector's activity. */
    bring: async (...vector: Parameters<typeof read>): Promise<JsonObject> => {
      const activity = await read(...vector);
      await vector[2].deliver(kith(), activity);
      return activity;
    },
  };
}

/** An event of this peer's, as the person here sees it. */
export async function eventOf(
  by: TestPerson,
  { handle }: RemoteActor,
  summary: string,
): Promise<EventRecord | undefined> {
  for (let offset = 0; ;) {
    const page = await by.get<EventRecord[]>("/calendar/events", { offset });
    const found = page.find(
      ({ Summary, Person }) => Summary === summary && Person.Author === handle,
    );
    if (found || page.length === 0) return found;
    offset += page.length;
  }
}

/** The answers by person. */
export async function answersTo(
  by: TestPerson,
  { ID }: { readonly ID: number },
): Promise<string[]> {
  const event = await by.get<EventRecord>(`/calendar/events/${ID}`);
  return event.Participations.map(
    ({ Person, Status }) => `${Person.Author} ${Status}`,
  );
}
