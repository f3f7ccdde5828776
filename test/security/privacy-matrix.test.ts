import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { before, describe, test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { useKith } from "../../packages/server/test/support/server/kith-server.ts";
import { listRoutes } from "../../packages/server/test/support/server/routes.ts";
import { quickFetch } from "../../packages/server/test/support/streams/quick-fetch.ts";
import { Batch, batchesOf, type Answer } from "./privacy/batch.ts";
import { ENTRIES } from "./privacy/entries.ts";
import type { Probe } from "./privacy/probes.ts";
import {
  ABSENT,
  isVisible,
  KINDS,
  VIEWERS,
  type Audience,
  type Kind,
  type Subject,
  type Viewer,
} from "./privacy/subjects.ts";
import { PrivacyWorld } from "./privacy/world.ts";

/** Without a user; an outbox accepts only its owner's token. */
const REFUSED_TOKEN = new Set([401, 403]);

const GZIP = "application/gzip";

/** Differences between two equivalent answers. */
const CHANGING = new Set(["date", "x-request-id"]);

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let world: PrivacyWorld;
  const shared = new Map<string, Subject>();
  const absences = new Map<string, string>();
  before(async () => {
    world = await PrivacyWorld.create(kith());
    for (const [what, audiences] of Object.entries(KINDS))
      for (const audience of audiences)
        shared.set(
          `${what} ${audience}`,
          await world.make(what as Kind, audience),
        );
  });

  test("every registered route has an entry, and every entry a route", () => {
    const routes = listRoutes(kith().app)
      .map(({ method, path }) => `${method} ${path}`)
      .filter((route) => !/\*/.test(route));
    assert.deepEqual(
      routes.filter((route) => !(route in ENTRIES)),
      [],
      "say in privacy/entries.ts what these routes can show, and to whom",
    );
    assert.deepEqual(
      Object.keys(ENTRIES).filter((route) => !routes.includes(route)),
      [],
      "these entries have no route",
    );
  });

  for (const [route, entry] of Object.entries(ENTRIES)) {
    if ("silent" in entry) continue;
    describe(route, () => {
      for (const probe of entry)
        for (const about of probe.about)
          for (const audiences of batchesOf(KINDS[about])) {
            const batch = new Batch(about, audiences, () => world);
            for (const audience of audiences)
              test(`${about}, ${audience}, by ${probe.by}${probe.accept ?? ""}`, () =>
                probeAll(route, probe, batch, audience));
          }
    });
  }

  async function probeAll(
    route: string,
    probe: Probe,
    batch: Batch,
    audience: Audience,
  ): Promise<void> {
    const [method = ""] = route.split(" ");
    const { about } = batch;
    const isList = probe.is === "list";
    // A list shows the newest first, up to a limit.
    const known = isList
      ? await batch.subjectFor(audience)
      : shared.get(`${about} ${audience}`);
    assert.ok(known);
    for (const viewer of VIEWERS) {
      const expected = expectedOf(probe, known, viewer);
      // A probe that changes its object gets one of its own.
      const subject =
        method !== "GET" && expected === "answered"
          ? await world.make(about, audience)
          : known;
      for (const path of probe.paths(subject)) {
        const label = `${viewer}: ${method} ${path}`;
        const answer =
          isList && method === "GET"
            ? await batch.answerOnce(`${viewer} ${path}`, () =>
                ask(method, path, probe, subject, viewer),
              )
            : await ask(method, path, probe, subject, viewer);
        if (probe.is === "list")
          assertListed(probe, answer, subject, expected, label);
        else await assertOne({ method, probe, subject, viewer }, answer, label);
        if (method !== "GET" && expected === "answered") break;
      }
    }
  }

  async function assertOne(
    about: { method: string; probe: Probe; subject: Subject; viewer: Viewer },
    answer: Answer,
    label: string,
  ): Promise<void> {
    const { probe, subject, viewer } = about;
    const expected = expectedOf(probe, subject, viewer);
    if (expected === "unauthorized") {
      assert.ok(REFUSED_TOKEN.has(answer.status), label);
      assert.ok(!shows(answer, probe, subject), label);
      return;
    }
    if (expected === "answered") {
      assert.equal(answer.status, 200, `${label} ${answer.all}`);
      if (probe.shows !== false)
        assert.ok(shows(answer, probe, subject), label);
      return;
    }
    assert.ok(!shows(answer, probe, subject), `${label} shows it`);
    assert.notEqual(answer.status, 200, label);
    // A reader may learn the reason for a refusal; others learn nothing.
    if (isVisible(subject.audience, identityOf(probe, viewer))) return;
    for (const absent of await askForNothing(about))
      assert.equal(answer.all, absent, label);
  }

  /** What one gets for a missing object does not change: each viewer asks once. */
  async function askForNothing(about: {
    method: string;
    probe: Probe;
    subject: Subject;
    viewer: Viewer;
  }): Promise<string[]> {
    const { method, probe, subject, viewer } = about;
    const nothing: Subject = { ...subject, ...ABSENT, post: ABSENT };
    const form = JSON.stringify(probe.form?.(nothing));
    const answers: string[] = [];
    for (const path of probe.paths(nothing)) {
      const key = [viewer, method, path, probe.accept, form].join(" ");
      const absent =
        absences.get(key) ??
        (await ask(method, path, probe, nothing, viewer)).all;
      absences.set(key, absent);
      answers.push(absent);
    }
    return answers;
  }

  function assertListed(
    probe: Probe,
    answer: Answer,
    subject: Subject,
    expected: Expected,
    label: string,
  ): void {
    if (expected === "unauthorized")
      assert.ok(REFUSED_TOKEN.has(answer.status), label);
    assert.equal(shows(answer, probe, subject), expected === "answered", label);
  }

  async function ask(
    method: string,
    path: string,
    probe: Probe,
    subject: Subject,
    viewer: Viewer,
  ): Promise<Answer> {
    const { record } = world.author;
    const url =
      kith().baseUrl +
      path
        .replace("CALENDARGUID", world.calendarGuid)
        .replace("AUTHORGUID", record.Guid)
        .replace("AUTHOR", `${record.ID}`)
        .replace("STREAM", `${world.credentialsOf(viewer).streamId ?? 1}`);
    const accept = probe.accept ?? "application/json";
    const response = await quickFetch(url, {
      method,
      headers: await world.headersOf(viewer, method, url, { accept }),
      ...(probe.form ? { body: new URLSearchParams(probe.form(subject)) } : {}),
    });
    const headers = [...response.headers]
      .filter(([name]) => !CHANGING.has(name))
      .map((pair) => pair.join(": "));
    const bytes = Buffer.from(await response.arrayBuffer());
    const isArchive = response.headers.get("content-type") === GZIP;
    const text = (isArchive ? gunzipSync(bytes) : bytes).toString();
    const all = [response.status, ...headers, text].join("\n");
    return { status: response.status, all };
  }
});

type Expected = "answered" | "refused" | "unauthorized";

function expectedOf(probe: Probe, subject: Subject, viewer: Viewer): Expected {
  const hasToken = !["anonymous", "remoteMember", "remoteStranger"].includes(
    viewer,
  );
  const isBroken = viewer === "deletedToken";
  if (probe.by === "token" && (!hasToken || isBroken)) return "unauthorized";
  if (isBroken && (probe.by === "document" || probe.by === "file"))
    return "unauthorized";
  const asked = identityOf(probe, viewer);
  const isSeen =
    probe.isForModerators === true
      ? asked === "moderator" && subject.heldId !== undefined
      : isVisible(subject.audience, asked);
  return isSeen && (probe.only?.(subject, asked) ?? true)
    ? "answered"
    : "refused";
}

/** The viewer as a route sees them: without reading signatures, for example, it sees an anonymous one. */
function identityOf({ by }: Probe, viewer: Viewer): Viewer {
  if (by === "nobody") return "anonymous";
  if (by === "file" && isRemote(viewer)) return "anonymous";
  if (by === "session" && (isRemote(viewer) || viewer === "deletedToken"))
    return "anonymous";
  return viewer;
}

function isRemote(viewer: Viewer): boolean {
  return viewer === "remoteMember" || viewer === "remoteStranger";
}

function shows(answer: Answer, probe: Probe, subject: Subject): boolean {
  return answer.all.includes(probe.sign?.(subject) ?? subject.marker);
}
