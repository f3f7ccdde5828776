import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CalendarProgram,
  icalOf,
  responsesIn,
  type DavAnswer,
} from "../support/caldav/calendar-program.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

/** Requests in the order and in the form in which well-known programs send them. */
forEachDatabase((kind) => {
  const kith = useKith(kind);

  const somebody = async () => {
    const { username } = await kith().person();
    return new CalendarProgram(kith(), username);
  };
  /** The only calendar of a new account. */
  const calendarOf = async (program: CalendarProgram) => {
    const home = await program.propfind(program.home, "<d:resourcetype/>", "1");
    const [calendar, ...others] = responsesIn(home.text).filter(({ xml }) =>
      xml.includes("<c:calendar/>"),
    );
    assert.deepEqual(others, []);
    return calendar?.href ?? assert.fail(home.text);
  };
  const xmlOf = (
    { home }: CalendarProgram,
    { status, text }: DavAnswer,
  ): string => {
    assert.equal(status, 207, `${home} ${text}`);
    return text;
  };
  /** The value of each of these properties that is found. */
  const found = (xml: string): string =>
    [...xml.matchAll(/<d:propstat>(.*?)<\/d:propstat>/gs)]
      .filter(([whole]) => whole.includes("HTTP/1.1 200"))
      .map(([, part]) => part)
      .join("");

  test("Thunderbird finds the calendars and keeps them in step", async () => {
    const program = await somebody();
    const { username } = program;
    const detect = (path: string) =>
      program.send("PROPFIND", path, {
        headers: { depth: "0", "content-type": "application/xml" },
        body: `<propfind xmlns="DAV:" xmlns:D="DAV:" xmlns:CS="http://calendarserver.org/ns/" xmlns:C="urn:ietf:params:xml:ns:caldav"><prop><resourcetype/><owner/><displayname/><current-user-principal/><current-user-privilege-set/><calendar-color xmlns="http://apple.com/ns/ical/"/><C:calendar-home-set/></prop></propfind>`,
      });
    // It tries the redirect, and the root of the site at last.
    const redirect = await detect("/.well-known/caldav");
    assert.ok([301, 302, 307, 308].includes(redirect.status));
    for (const path of [redirect.headers.get("location") ?? "", "/"])
      assert.match(
        xmlOf(program, await detect(path)),
        new RegExp(`/dav/principals/${username}/`),
      );
    const principal = `/dav/principals/${username}/`;
    const own = found(xmlOf(program, await detect(principal)));
    assert.match(own, /<d:resourcetype>.*<d:principal\/>.*<\/d:resourcetype>/);
    assert.match(own, new RegExp(`<c:calendar-home-set>.*${program.home}<`));
    const path = await calendarOf(program);
    const [of] = responsesIn(
      xmlOf(
        program,
        await program.propfind(
          path,
          "<d:displayname/><d:resourcetype/><d:owner/><d:current-user-principal/><d:current-user-privilege-set/><d:supported-report-set/><c:supported-calendar-component-set/><cs:getctag/><a:calendar-color/>",
        ),
      ),
    );
    const calendar = found(of?.xml ?? "");
    assert.match(calendar, /<d:sync-collection\/>/);
    assert.match(calendar, /<c:calendar-multiget\/>/);
    assert.match(calendar, /<d:write\/>/);
    assert.match(calendar, /name="VEVENT"/);
    assert.match(calendar, /<cs:getctag>[^<]+</);
    assert.match(calendar, new RegExp(`<d:owner>.*${principal}`));
    for (const method of ["OPTIONS", "HEAD"]) {
      const asked = await program.send(method, program.home);
      assert.match(asked.headers.get("dav") ?? "", /calendar-access/, method);
    }
    const { token } = await program.sync(path);
    const first = `${path}tb-1.ics`;
    const made = await program.put(first, icalOf("tb-1", "SUMMARY:Tea"), {
      "if-none-match": "*",
    });
    assert.equal(made.status, 201);
    const { changes } = await program.sync(path, token);
    assert.deepEqual(
      changes.map(({ href }) => href),
      [first],
    );
    const got = await program.report(
      path,
      `<C:calendar-multiget xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><D:getetag/><C:calendar-data/></D:prop><D:href>${first}</D:href><D:href>${path}gone.ics</D:href></C:calendar-multiget>`,
    );
    const [there, gone] = responsesIn(xmlOf(program, got));
    const etag = made.headers.get("etag") ?? "";
    assert.ok(there?.xml.replaceAll("&quot;", '"').includes(etag));
    assert.match(there?.xml ?? "", /SUMMARY:Tea/);
    assert.equal(gone?.status, 404);
    // Without sync-collection it lists objects, and ignores those of no known type.
    const listed = await program.propfind(
      path,
      "<d:getcontenttype/><d:resourcetype/><d:getetag/>",
      "1",
    );
    const object = responsesIn(listed.text).find(({ href }) => href === first);
    assert.match(object?.xml ?? "", /<d:getcontenttype>text\/calendar/);
    const removed = await program.send("DELETE", first, {
      headers: { "if-match": etag },
    });
    assert.equal(removed.status, 204);
    const bad = await program.sync(path, token);
    assert.deepEqual(
      bad.changes.map(({ status }) => status),
      [404],
    );
  });

  test("Apple Calendar discovers, sets its properties and reads by range", async () => {
    const program = await somebody();
    const { username } = program;
    const principal = `/dav/principals/${username}/`;
    const ask = async (path: string, props: string, depth = "0") =>
      program.send("PROPFIND", path, {
        headers: { depth, brief: "t", "content-type": "text/xml" },
        body: `<?xml version="1.0" encoding="UTF-8"?><A:propfind xmlns:A="DAV:"><A:prop>${props}</A:prop></A:propfind>`,
      });
    const B = 'xmlns:B="urn:ietf:params:xml:ns:caldav"';
    const C = 'xmlns:C="http://calendarserver.org/ns/"';
    const E = 'xmlns:E="http://apple.com/ns/ical/"';
    const discovered = await ask(
      "/dav/",
      "<A:current-user-principal/><A:principal-URL/><A:resourcetype/>",
    );
    assert.match(xmlOf(program, discovered), new RegExp(principal));
    const own = await ask(
      principal,
      `<B:calendar-home-set ${B}/><B:calendar-user-address-set ${B}/><A:current-user-principal/><A:displayname/><C:dropbox-home-URL ${C}/><C:email-address-set ${C}/><C:notification-URL ${C}/><A:principal-collection-set/><A:principal-URL/><A:resource-id/><B:schedule-inbox-URL ${B}/><B:schedule-outbox-URL ${B}/><A:supported-report-set/>`,
    );
    const values = found(xmlOf(program, own));
    assert.match(values, new RegExp(program.home));
    assert.match(values, /<c:calendar-user-address-set>/);
    assert.match(values, /<d:principal-collection-set>/);
    const search = await program.report(
      "/dav/principals/",
      `<?xml version="1.0" encoding="UTF-8"?><A:principal-search-property-set xmlns:A="DAV:"/>`,
      "0",
    );
    assert.ok([200, 207].includes(search.status), String(search.status));
    const home = await ask(
      program.home,
      `<A:add-member/><C:allowed-sharing-modes ${C}/><D:autoprovisioned xmlns:D="http://apple.com/ns/ical/"/><E:bulk-requests xmlns:E="http://me.com/_namespace/"/><E:calendar-color ${E}/><B:calendar-description ${B}/><B:calendar-free-busy-set ${B}/><E:calendar-order ${E}/><B:calendar-timezone ${B}/><A:current-user-privilege-set/><B:default-alarm-vevent-date ${B}/><A:displayname/><C:getctag ${C}/><A:owner/><C:pre-publish-url ${C}/><A:quota-available-bytes/><A:quota-used-bytes/><A:resource-id/><A:resourcetype/><B:schedule-calendar-transp ${B}/><C:source ${C}/><B:supported-calendar-component-set ${B}/><A:supported-report-set/><A:sync-token/>`,
      "1",
    );
    assert.match(found(xmlOf(program, home)), /<d:sync-token>/);
    const path = await calendarOf(program);
    const alarm =
      "BEGIN:VALARM&#13;\nACTION:NONE&#13;\nTRIGGER;VALUE=DATE-TIME:19760401T005545Z&#13;\nEND:VALARM&#13;\n";
    const set = await program.send("PROPPATCH", path, {
      body: `<?xml version="1.0" encoding="UTF-8"?><A:propertyupdate xmlns:A="DAV:"><A:set><A:prop><E:calendar-order ${E}>3</E:calendar-order><E:calendar-color ${E} symbolic-color="custom">#1BADF8FF</E:calendar-color><B:default-alarm-vevent-datetime ${B}>${alarm}</B:default-alarm-vevent-datetime><B:default-alarm-vevent-date ${B}>${alarm}</B:default-alarm-vevent-date></A:prop></A:set></A:propertyupdate>`,
    });
    assert.doesNotMatch(xmlOf(program, set), /HTTP\/1\.1 [45]/);
    const read = await ask(
      path,
      `<E:calendar-order ${E}/><E:calendar-color ${E}/>`,
    );
    assert.match(found(read.text), />3<.*#1BADF8FF/s);
    await program.put(`${path}1.ics`, icalOf("ac-1", "SUMMARY:Old"));
    const queried = await program.report(
      path,
      `<?xml version="1.0" encoding="UTF-8"?><B:calendar-query ${B}><A:prop xmlns:A="DAV:"><A:getetag/><A:getcontenttype/></A:prop><B:filter><B:comp-filter name="VCALENDAR"><B:comp-filter name="VEVENT"><B:time-range start="20270101T000000Z"/></B:comp-filter></B:comp-filter></B:filter></B:calendar-query>`,
    );
    assert.equal(responsesIn(xmlOf(program, queried)).length, 1);
    const data = await program.report(
      path,
      `<?xml version="1.0" encoding="UTF-8"?><B:calendar-multiget ${B}><A:prop xmlns:A="DAV:"><A:getetag/><B:calendar-data/><B:schedule-tag/><C:created-by ${C}/></A:prop><A:href xmlns:A="DAV:">${path}1.ics</A:href></B:calendar-multiget>`,
    );
    assert.match(xmlOf(program, data), /SUMMARY:Old/);
  });

  test("DAVx5 asks what the server can do, and tells conflicts from errors", async () => {
    const program = await somebody();
    const principal = `/dav/principals/${program.username}/`;
    const options = await program.send("OPTIONS", principal);
    assert.match(options.headers.get("dav") ?? "", /calendar-access/);
    const home = await program.propfind(
      program.home,
      "<d:current-user-privilege-set/><d:displayname/><d:owner/><d:resourcetype/><a:calendar-color/><c:calendar-description/><c:calendar-timezone/><c:supported-calendar-component-set/><cs:source/>",
      "1",
    );
    assert.match(xmlOf(program, home), /<c:calendar\/>/);
    // It makes calendars with an extended MKCOL.
    const path = `${program.home}9f6e/`;
    const made = await program.send("MKCOL", path, {
      headers: { "content-type": "application/xml; charset=utf-8" },
      body: `<?xml version='1.0' encoding='UTF-8' ?><mkcol xmlns="DAV:" xmlns:CAL="urn:ietf:params:xml:ns:caldav"><set><prop><resourcetype><collection /><CAL:calendar /></resourcetype><displayname>Club</displayname><n2:calendar-color xmlns:n2="http://apple.com/ns/ical/">#8BC34AFF</n2:calendar-color><CAL:supported-calendar-component-set><CAL:comp name="VEVENT" /></CAL:supported-calendar-component-set></prop></set></mkcol>`,
    });
    assert.equal(made.status, 201, made.text);
    const state = await program.propfind(
      path,
      "<cs:getctag/><d:sync-token/><d:supported-report-set/><c:max-resource-size/><d:displayname/>",
    );
    const values = found(xmlOf(program, state));
    assert.match(values, /<d:sync-token>http[^<]+</);
    assert.match(values, /<c:max-resource-size>\d+</);
    assert.match(values, />Club</);
    const one = `${path}dx-1.ics`;
    const create = { "if-none-match": "*" };
    const ical = icalOf("dx-1", "SUMMARY:One");
    const put = await program.put(one, ical, create);
    assert.equal(put.status, 201);
    const etag = put.headers.get("etag") ?? "";
    assert.match(etag, /^"[^"]+"$/);
    assert.equal((await program.put(one, ical, create)).status, 412);
    const newer = icalOf("dx-1", "SUMMARY:Two");
    const stale = { "if-match": '"stale"' };
    assert.equal((await program.put(one, newer, stale)).status, 412);
    // The tag that is valid can be asked for, and nothing else has changed.
    const tag = await program.propfind(one, "<d:getetag/>");
    assert.ok(tag.text.replaceAll("&quot;", '"').includes(etag));
    const changed = await program.put(one, newer, { "if-match": etag });
    assert.equal(changed.status, 204);
    const range = await program.report(
      path,
      `<CAL:calendar-query xmlns="DAV:" xmlns:CAL="urn:ietf:params:xml:ns:caldav"><prop><getetag /></prop><CAL:filter><CAL:comp-filter name="VCALENDAR"><CAL:comp-filter name="VEVENT"><CAL:time-range start="20270301T000000Z" /></CAL:comp-filter></CAL:comp-filter></CAL:filter></CAL:calendar-query>`,
    );
    assert.equal(responsesIn(xmlOf(program, range)).length, 1);
    // A resource is one event: of two it would skip the whole.
    const two = icalOf("dx-2").replace(
      "END:VEVENT",
      "END:VEVENT\r\nBEGIN:VEVENT\r\nUID:dx-3\r\nDTSTAMP:20270101T000000Z\r\nDTSTART:20270310T090000Z\r\nEND:VEVENT",
    );
    const refused = await program.put(`${path}two.ics`, two);
    assert.equal(refused.status, 403);
    assert.match(refused.text, /valid-calendar-object-resource/);
    assert.equal((await program.send("DELETE", path)).status, 204);
    // But OPTIONS, which takes no password and says nothing about what there is.
    for (const method of ["PROPFIND", "REPORT", "GET", "DELETE"]) {
      const body =
        method === "REPORT"
          ? `<d:sync-collection xmlns:d="DAV:"><d:sync-token/><d:sync-level>1</d:sync-level><d:prop><d:getetag/></d:prop></d:sync-collection>`
          : undefined;
      const gone = await program.send(method, path, body ? { body } : {});
      assert.equal(gone.status, 404, method);
    }
  });

  test("GNOME and calcurse are given the path of a calendar, and read all of it", async () => {
    const program = await somebody();
    const path = await calendarOf(program);
    const allowed = await program.send("OPTIONS", path);
    assert.match(allowed.headers.get("allow") ?? "", /\bPUT\b/);
    await program.put(`${path}g-1.ics`, icalOf("g-1", "SUMMARY:G1"));
    const whole = await program.send("GET", path);
    assert.equal(whole.status, 200);
    assert.match(whole.headers.get("content-type") ?? "", /^text\/calendar/);
    assert.match(whole.text, /SUMMARY:G1/);
    const listed = await program.propfind(path, "<d:getetag/>", "1");
    assert.equal(responsesIn(xmlOf(program, listed)).length, 2);
    for (const text of [
      "HAHA:YES",
      "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:A\r\nN:A;;;;\r\nEND:VCARD\r\n",
    ])
      assert.ok((await program.put(`${path}x.ics`, text)).status >= 400);
    const after = await program.propfind(path, "<d:getetag/>", "1");
    assert.equal(responsesIn(after.text).length, 2);
  });

  test("vdirsyncer and python-caldav get back what they set, and names as they are", async () => {
    const program = await somebody();
    const path = await program.makeCalendar("props");
    const set = async (name: string, value: string) => {
      const body = `<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop>${name.replace("$", value)}</D:prop></D:set></D:propertyupdate>`;
      const answer = await program.send("PROPPATCH", path, { body });
      assert.doesNotMatch(xmlOf(program, answer), /HTTP\/1\.1 [45]/);
    };
    const displayname = "<D:displayname>$</D:displayname>";
    for (const name of ["日程", "🦌 and 📅", "plain", "a &amp; b", ""]) {
      await set(displayname, name);
      const { text } = await program.propfind(path, "<d:displayname/>");
      assert.ok(
        text.includes(`<d:displayname>${name}</d:displayname>`) ||
          (name === "" && text.includes("<d:displayname/>")),
        text,
      );
    }
    for (const [name, uid] of [
      ["%250A.ics", "%0A"],
      ["%E2%9C%93%20A.ics", "✓ A"],
      ["CASE.ics", "CASE"],
      ["case.ics", "case"],
    ] as const) {
      const put = await program.put(path + name, icalOf(uid));
      assert.equal(put.status, 201, name);
      const got = await program.send("GET", path + name);
      assert.match(got.text, new RegExp(`UID:${uid}`));
      const { changes } = await program.sync(path);
      const hrefs = changes.map(({ href }) => href);
      assert.ok(hrefs.includes(path + name), `${name} in ${hrefs.join(" ")}`);
    }
  });
});
