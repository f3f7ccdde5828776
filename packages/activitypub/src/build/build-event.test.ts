import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { buildActivity } from "./build-activity.ts";
import { buildEvent } from "./build-event.ts";
import type { EventInput } from "./build-event.ts";
import { withContext } from "../context.ts";
import { isJsonArray, isJsonObject, serialize } from "../json/json.ts";
import type { JsonObject, JsonValue } from "../json/json-types.ts";
import { readEvent } from "../read/read-event.ts";
import { noteInput, wire } from "../../test/notes.ts";
import { zonedTime } from "../zoned-time.ts";

const { attachments: _, name: _name, ...post } = { name: "", ...noteInput };
const input: EventInput = {
  ...post,
  name: "Repair café",
  summary: "14 July 2026, 17:30, Town hall",
  startTime: "2026-07-14T15:30:00.123Z",
  endTime: "2026-07-14T18:00:00Z",
  timezone: "Europe/Vienna",
  place: {
    name: "Town hall",
    street: "Main square 1",
    locality: "Graz",
    latitude: 47,
    longitude: 0,
  },
  onlineUrl: "https://repair.example/",
  joinMode: "free",
  banner: {
    mediaType: "image/png",
    url: "https://kith.example/b.png",
    name: "A toaster",
  },
};

function* objectsIn(value: JsonValue | undefined): Generator<JsonObject> {
  if (isJsonArray(value)) for (const item of value) yield* objectsIn(item);
  if (!isJsonObject(value)) return;
  yield value;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

describe("buildEvent", () => {
  const built = buildEvent(input);

  test("writes times with the offset of the zone, and the zone itself", () => {
    assert.deepEqual(
      [built["startTime"], built["endTime"], built["timezone"]],
      [
        "2026-07-14T17:30:00+02:00",
        "2026-07-14T20:00:00+02:00",
        "Europe/Vienna",
      ],
    );
    const { endTime: _end, timezone: _zone, ...open } = input;
    const plain = buildEvent(open);
    assert.equal(plain["startTime"], "2026-07-14T15:30:00Z");
    assert.equal("endTime" in plain, false);
  });

  test("has one place, with coordinates that Mobilizon does not read as integers", () => {
    const location = built["location"];
    assert.ok(isJsonObject(location));
    assert.deepEqual(location["address"], {
      type: "PostalAddress",
      streetAddress: "Main square 1",
      addressLocality: "Graz",
    });
    assert.match(serialize(location), /"latitude":46\.9999999\b/);
    assert.match(serialize(location), /"longitude":1e-7\b/);
    const read = readEvent(wire(built));
    assert.deepEqual(read.place, input.place);
    const { place: _place, ...nowhere } = input;
    assert.equal("location" in buildEvent(nowhere), false);
  });

  test("every attachment has a media type, the banner first, the website last", () => {
    const attachments = built["attachment"];
    assert.deepEqual(attachments, [
      {
        type: "Image",
        mediaType: "image/png",
        url: "https://kith.example/b.png",
        name: "Banner",
        summary: "A toaster",
      },
      {
        type: "Link",
        mediaType: "text/html",
        href: "https://repair.example/",
        name: "Website",
      },
    ]);
  });

  test("writes the status in both vocabularies", () => {
    const cancelled = buildEvent({ ...input, status: "cancelled" });
    assert.deepEqual(
      [cancelled["status"], cancelled["eventStatus"]],
      ["CANCELLED", "EventCancelled"],
    );
    assert.equal(built["status"], "CONFIRMED");
  });

  test("contains no null, and defines each term that it uses once", () => {
    const create = withContext(
      buildActivity({
        id: "https://kith.example/activity/1",
        type: "Create",
        actor: input.attributedTo,
        object: built,
      }),
    );
    for (const object of objectsIn(create)) {
      for (const value of Object.values(object)) assert.notEqual(value, null);
    }
    const terms = (create["@context"] as JsonObject[]).at(-1) ?? {};
    for (const name of ["joinMode", "timezone", "streetAddress", "status"]) {
      assert.ok(name in terms, name);
    }
    assert.equal(terms["mz"], "https://joinmobilizon.org/ns#");
    for (const name of ["votersCount", "quote", "gts", "litepub"]) {
      assert.equal(name in terms, false, name);
    }
  });
});

describe("times in zones", () => {
  test("have the offset valid at that moment", () => {
    const cases: [string, string, string][] = [
      ["2026-01-14T12:00:00Z", "Europe/Vienna", "2026-01-14T13:00:00+01:00"],
      ["2026-07-14T12:00:00Z", "Europe/Vienna", "2026-07-14T14:00:00+02:00"],
      ["2026-07-14T12:00:00Z", "America/St_Johns", "2026-07-14T09:30:00-02:30"],
      ["2026-07-14T12:00:00Z", "Asia/Kathmandu", "2026-07-14T17:45:00+05:45"],
      ["2026-07-14T12:00:00Z", "UTC", "2026-07-14T12:00:00Z"],
    ];
    for (const [time, zone, written] of cases) {
      assert.equal(zonedTime(time, zone), written, zone);
      assert.equal(Date.parse(written), Date.parse(time));
    }
  });

  test("are in UTC when the zone is unknown, or had an offset to the second", () => {
    const time = "1850-07-14T12:00:00Z";
    assert.equal(zonedTime(time, "Nowhere/Land"), time);
    assert.equal(zonedTime(time, "Europe/Vienna"), time);
    assert.equal(zonedTime(time, undefined), time);
    const last = "9999-12-31T23:59:59Z";
    assert.equal(zonedTime(last, "Asia/Tokyo"), last);
    assert.throws(() => zonedTime("soon", "UTC"), RangeError);
  });
});
