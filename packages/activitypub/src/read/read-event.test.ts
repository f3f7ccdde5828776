import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject, JsonValue } from "../json/json-types.ts";
import { organizersOf, readEvent } from "./read-event.ts";
import { refused, sampleObject } from "../../test/samples.ts";

const eventJson = (over: JsonObject = {}): JsonObject => ({
  id: "https://peer.example/events/1",
  type: "Event",
  attributedTo: "https://peer.example/users/bob",
  name: "Picnic",
  startTime: "2026-07-04T10:00:00Z",
  ...over,
});

describe("events as peers send them", () => {
  test("Mobilizon", () => {
    const event = readEvent(sampleObject("mobilizon-create-event"));
    assert.deepEqual(
      [event.name, event.startTime, event.endTime, event.timezone],
      [
        "Repair café",
        "2026-07-14T15:30:00.000Z",
        "2026-07-14T18:00:00.000Z",
        "Europe/Vienna",
      ],
    );
    assert.deepEqual(event.place, {
      id: "https://mobilizon.example/address/eeec",
      name: "Town hall",
      street: "Main square 1",
      postalCode: "8010",
      locality: "Graz",
      region: "Steiermark",
      country: "Austria",
      latitude: 47.07068,
      longitude: 15.43825,
    });
    assert.deepEqual(
      [event.joinMode, event.maximumAttendees, event.remainingAttendees],
      ["free", 30, 30],
    );
    assert.equal(event.participantCount, 0);
    assert.equal(event.externalParticipationUrl, undefined);
    assert.deepEqual(
      [event.status, event.categories, event.commentsEnabled, event.isOnline],
      ["confirmed", ["COMMUNITY"], true, false],
    );
    assert.equal(event.onlineUrl, "https://repair.example");
    assert.equal(event.banner?.url, "https://mobilizon.example/media/b.png");
    assert.deepEqual(organizersOf(event), ["https://mobilizon.example/@jon"]);
    const cancelled = readEvent(
      sampleObject("mobilizon-update-event-cancelled"),
    );
    assert.equal(cancelled.status, "cancelled");
  });

  test("Gancio: an address in one text, no zone, no joining", () => {
    const event = readEvent(sampleObject("gancio-create-event"));
    assert.deepEqual(
      [event.startTime, event.endTime, event.timezone, event.joinMode],
      [
        "2026-07-10T19:00:00.000Z",
        "2026-07-10T21:30:00.000Z",
        undefined,
        undefined,
      ],
    );
    assert.equal(event.place?.address, "Via Roma 22, Torino");
    assert.equal(event.banner?.name, "poster");
    assert.equal(event.content, "<p>three bands</p>");
  });

  test("Friendica: a name and a position", () => {
    const event = readEvent(sampleObject("friendica-create-event"));
    assert.equal(event.name, "Bike ride");
    assert.deepEqual(event.place, {
      name: "Old bridge",
      latitude: 47.0707,
      longitude: 15.4395,
    });
    assert.equal("summary" in event, false);
  });

  test("the WordPress bridge: joining is external", () => {
    const event = readEvent(sampleObject("wordpress-create-event"));
    assert.deepEqual(
      [event.joinMode, event.externalParticipationUrl, event.place?.street],
      ["external", "https://wp.example/event/workshop/", "Lab street 5"],
    );
  });

  test("FEP-8a8e: several locations, an open end, a finer status", () => {
    const event = readEvent(
      eventJson({
        endTime: "2026-07-04T12:00:00Z",
        displayEndTime: false,
        status: "CONFIRMED",
        eventStatus: "https://schema.org/EventRescheduled",
        previousStartTime: "2026-07-03T10:00:00Z",
        location: [
          { type: "VirtualLocation", url: "https://meet.example/x" },
          { type: "Place", name: "Park", address: "By the lake" },
        ],
        attendees: { type: "Collection", totalItems: 5 },
        category: ["OUTDOORS", "FOOD_DRINK"],
      }),
    );
    assert.equal("endTime" in event, false);
    assert.equal(event.status, "rescheduled");
    assert.equal(event.previousStartTime, "2026-07-03T10:00:00.000Z");
    assert.deepEqual(event.place, { name: "Park", address: "By the lake" });
    assert.equal(event.onlineUrl, "https://meet.example/x");
    assert.equal(event.isOnline, true);
    assert.equal(event.participantCount, 5);
    assert.deepEqual(event.categories, ["OUTDOORS", "FOOD_DRINK"]);
  });
});

describe("readEvent", () => {
  const read = (over: JsonObject) => readEvent(eventJson(over));

  test("reads each status, and drops an unknown one", () => {
    const statusOf = (value: JsonValue) => read({ status: value }).status;
    assert.equal(statusOf("cancelled"), "cancelled");
    assert.equal(statusOf("TENTATIVE"), "tentative");
    assert.equal(statusOf("EventPostponed"), "postponed");
    for (const odd of [null, 7, "", "PARTY"]) {
      assert.equal(statusOf(odd), "confirmed", String(odd));
    }
    assert.equal(read({ "ical:status": "CANCELLED" }).status, "cancelled");
  });

  test("drops an end before the start, and an invalid zone", () => {
    const event = read({
      endTime: "2026-07-04T09:59:59Z",
      timezone: "Nowhere; drop table",
    });
    assert.equal("endTime" in event || "timezone" in event, false);
  });

  test("reads a place from a text, and only complete positions", () => {
    assert.deepEqual(read({ location: "At home" }).place, { name: "At home" });
    for (const location of [null, [], {}, { type: "Place", latitude: 1 }]) {
      assert.equal("place" in read({ location }), false);
    }
    const position = (latitude: JsonValue, longitude: JsonValue) =>
      read({ location: { name: "x", latitude, longitude } }).place?.latitude;
    assert.equal(position("47.5", "15"), 47.5);
    assert.equal(position(45.0000001, 1), 45);
    assert.equal(position(91, 1), undefined);
    assert.equal(position(1, "east"), undefined);
    assert.equal(position(1, null), undefined);
  });

  test("has no limit for 0 or null, and no unknown way of joining", () => {
    for (const capacity of [0, null, "many"]) {
      const event = read({ maximumAttendeeCapacity: capacity });
      assert.equal("maximumAttendees" in event, false);
    }
    assert.equal("joinMode" in read({ joinMode: "maybe" }), false);
    const external = { externalParticipationUrl: "javascript:x" };
    assert.equal("externalParticipationUrl" in read(external), false);
  });

  test("reads whether comments are enabled, when given", () => {
    assert.equal("commentsEnabled" in read({}), false);
    assert.equal(read({ commentsEnabled: false }).commentsEnabled, false);
    const closed = { commentsEnabled: true, repliesModerationOption: "closed" };
    assert.equal(read(closed).commentsEnabled, false);
  });

  test("prefers the image named Banner", () => {
    const picture = (name: string) => ({
      type: "Document",
      mediaType: "image/png",
      url: `https://peer.example/${name}.png`,
      name,
    });
    const both = { attachment: [picture("other"), picture("Banner")] };
    assert.equal(read(both).banner?.name, "Banner");
    const one = read({ attachment: picture("other") });
    assert.equal(one.banner?.name, "other");
  });

  test("names the organizer and the group as deciding actors", () => {
    const group = "https://peer.example/groups/g";
    assert.deepEqual(organizersOf(read({ actor: group })), [
      "https://peer.example/users/bob",
      group,
    ]);
  });

  test("reads Friendica's title from the summary, and refuses an event without a title or a start", () => {
    assert.equal(read({ name: null, summary: "Title" }).name, "Title");
    for (const over of [
      { name: null },
      { startTime: null },
      { startTime: "tomorrow" },
      { type: "Note" },
    ]) {
      assert.throws(() => read(over), refused("not_an_object"));
    }
  });
});
