import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CalendarProgram,
  icalOf,
  responsesIn,
} from "../support/caldav/calendar-program.ts";
import {
  CLUB,
  feed,
  HOLIDAY,
  ical,
  SUBSCRIBED,
  useSubscribers,
} from "../support/caldav/subscribing.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { DAY_MS } from "../support/server/test-clock.ts";

const tidy = (text: string) => text.replaceAll("&#13;", "");

forEachDatabase((kind) => {
  const { kith, list, only, site, somebody, wait } = useSubscribers(kind);

  const pathOf = async (program: CalendarProgram) => {
    const { text } = await program.propfind(program.home, "<d:owner/>", "1");
    const found = responsesIn(text)
      .map(({ href }) => href)
      .filter((href) => /\/subscribed-\w+\/$/.test(href));
    assert.equal(found.length, 1, text);
    return found[0] ?? "";
  };

  test("programs read it, and learn what has changed", async () => {
    const { program, who } = await somebody();
    const path = await pathOf(program);
    const look =
      "<d:displayname/><d:resourcetype/><d:current-user-privilege-set/><cs:source/>";
    const shown = await program.propfind(path, look);
    assert.match(shown.text, /<d:displayname>The club<\/d:displayname>/);
    assert.match(shown.text, /<c:calendar\/>/);
    assert.match(shown.text, /<cs:source><d:href>http:/);
    assert.doesNotMatch(shown.text, /<d:(write[\w-]*|bind|unbind)\/>/);
    const first = await program.sync(path);
    assert.equal(first.changes.length, 3);
    const hrefs = first.changes.map(({ href }) => href);
    const read = await Promise.all(
      hrefs.map((href) => program.send("GET", href)),
    );
    const game = read.find(({ text }) => text.includes("Home game"));
    assert.match(game?.text ?? "", /LOCATION:Stadium\r\n/);
    const whole = await program.send("GET", path);
    assert.equal(whole.text.match(/BEGIN:VEVENT/g)?.length, 3);
    // A new time of the answer is no change; a new place is one.
    site.respond = ical(
      CLUB.replaceAll("20270101T000000Z", "20270102T000000Z"),
    );
    await wait(DAY_MS);
    const same = await program.sync(path, first.token);
    assert.deepEqual(same.changes, []);
    assert.equal(same.token, first.token);
    site.respond = ical(CLUB.replace("Stadium", "Meadow"));
    await wait(DAY_MS);
    const moved = await program.sync(path, same.token);
    assert.equal(moved.changes.length, 1);
    const again = await program.send("GET", moved.changes[0]?.href ?? "");
    assert.match(again.text, /LOCATION:Meadow/);
    // Removals are found by reading all of it again.
    site.respond = ical(feed([HOLIDAY]));
    await wait(DAY_MS);
    const token = `<d:sync-collection xmlns:d="DAV:"><d:sync-token>${moved.token}</d:sync-token><d:sync-level>1</d:sync-level><d:prop/></d:sync-collection>`;
    const old = await program.report(path, token);
    assert.equal(old.status, 403);
    assert.match(old.text, /valid-sync-token/);
    assert.equal((await program.sync(path)).changes.length, 1);
    assert.equal(
      (await program.send("GET", hrefs[0] ?? "")).status < 500,
      true,
    );
    await who.delete(`${SUBSCRIBED}/${(await only(who)).ID}`);
    assert.equal((await program.send("PROPFIND", path)).status, 404);
  });

  test("programs change its look, and nothing in it", async () => {
    const { program, who } = await somebody();
    const path = await pathOf(program);
    const [, member] = responsesIn(
      (await program.propfind(path, "<d:getetag/>", "1")).text,
    );
    assert.ok(member);
    const own = await program.makeCalendar("own");
    for (const [method, to, sent] of [
      ["PUT", `${path}x.ics`, { body: icalOf("x") }],
      ["PUT", member.href, { body: icalOf("game") }],
      ["DELETE", member.href, {}],
      ["MOVE", member.href, { headers: { destination: `${own}y.ics` } }],
    ] as const) {
      const { status, text } = await program.send(method, to, sent);
      assert.equal(status, 403, `${method} ${to} ${text}`);
      assert.match(text, /<d:need-privileges/);
    }
    const { status: copied } = await program.send("COPY", member.href, {
      headers: { destination: `${own}copy.ics` },
    });
    assert.equal(copied, 201);
    const patch = `<d:propertyupdate xmlns:d="DAV:" xmlns:a="http://apple.com/ns/ical/"><d:set><d:prop>
      <d:displayname>Ours</d:displayname><a:calendar-color>#FF0000FF</a:calendar-color></d:prop></d:set></d:propertyupdate>`;
    const looked = await program.send("PROPPATCH", path, { body: patch });
    assert.equal(looked.status, 207);
    const shown = await program.propfind(
      path,
      "<d:displayname/><a:calendar-color/>",
    );
    assert.match(shown.text, /Ours/);
    assert.match(shown.text, /#FF0000FF/);
    assert.equal((await only(who)).Name, "Ours");
    const taken = await program.send(
      "MKCALENDAR",
      `${program.home}subscribed-x/`,
    );
    assert.equal(taken.status, 403);
    const { username } = await kith().person();
    const stranger = new CalendarProgram(kith(), username);
    for (const method of ["PROPFIND", "GET", "DELETE", "PROPPATCH"])
      for (const to of [path, member.href])
        assert.equal(
          (
            await stranger.send(method, to, {
              ...(method === "PROPPATCH" && { body: patch }),
            })
          ).status,
          404,
          method,
        );
    assert.equal((await program.send("DELETE", path)).status, 204);
    assert.deepEqual(await list(who), []);
  });

  test("queries by time find events, series and days", async () => {
    const { program } = await somebody();
    const path = await pathOf(program);
    const query = async (from: string, to: string) => {
      const body = `<c:calendar-query xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop><c:calendar-data/></d:prop>
        <c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT">
        <c:time-range start="${from}" end="${to}"/></c:comp-filter></c:comp-filter></c:filter></c:calendar-query>`;
      const { text } = await program.report(path, body);
      return [...tidy(text).matchAll(/SUMMARY:(.*)/g)].map(([, it]) => it);
    };
    assert.deepEqual(await query("20270316T000000Z", "20270317T000000Z"), [
      "Training",
    ]);
    assert.deepEqual(await query("20270326T080000Z", "20270326T090000Z"), [
      "Holiday",
    ]);
    assert.deepEqual(await query("20270501T000000Z", "20270601T000000Z"), []);
    const busy = `<c:free-busy-query xmlns:c="urn:ietf:params:xml:ns:caldav"><c:time-range start="20270310T000000Z" end="20270311T000000Z"/></c:free-busy-query>`;
    const { text } = await program.report(path, busy);
    assert.match(text, /FREEBUSY.*20270310T090000Z/);
  });
});
