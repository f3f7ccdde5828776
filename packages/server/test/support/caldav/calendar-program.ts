import assert from "node:assert/strict";
import { PASSWORD, type KithServer } from "../server/kith-server.ts";

export type DavAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
};

/** A calendar program of a user: it sends the name and a password with each request. */
export class CalendarProgram {
  readonly #baseUrl: string;
  readonly username: string;
  readonly #password: string;

  constructor(
    { baseUrl }: Pick<KithServer, "baseUrl">,
    username: string,
    password = PASSWORD,
  ) {
    this.#baseUrl = baseUrl;
    this.username = username;
    this.#password = password;
  }

  get home(): string {
    return `/dav/calendars/${this.username}/`;
  }

  async send(
    method: string,
    path: string,
    sent: {
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ): Promise<DavAnswer> {
    const name = `${this.username}:${this.#password}`;
    const response = await fetch(this.#baseUrl + path, {
      method,
      redirect: "manual",
      headers: {
        authorization: `Basic ${Buffer.from(name).toString("base64")}`,
        ...sent.headers,
      },
      ...(sent.body !== undefined && { body: sent.body }),
    });
    const { status, headers } = response;
    return { status, headers, text: await response.text() };
  }

  propfind(path: string, props: string, depth = "0"): Promise<DavAnswer> {
    const body = `<d:propfind ${NAMESPACES}><d:prop>${props}</d:prop></d:propfind>`;
    return this.send("PROPFIND", path, { body, headers: { depth } });
  }

  report(path: string, body: string, depth = "1"): Promise<DavAnswer> {
    return this.send("REPORT", path, { body, headers: { depth } });
  }

  put(
    path: string,
    body: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<DavAnswer> {
    const type = { "content-type": "text/calendar; charset=utf-8" };
    return this.send("PUT", path, { body, headers: { ...type, ...headers } });
  }

  /** Makes a calendar. @returns its path */
  async makeCalendar(name: string): Promise<string> {
    const path = `${this.home}${name}/`;
    const { status, text } = await this.send("MKCALENDAR", path);
    assert.equal(status, 201, text);
    return path;
  }

  /** The changes since a token. */
  async sync(path: string, token = "", limit?: number): Promise<Changes> {
    const nresults =
      limit === undefined
        ? ""
        : `<d:limit><d:nresults>${limit}</d:nresults></d:limit>`;
    const body = `<d:sync-collection ${NAMESPACES}><d:sync-token>${token}</d:sync-token>
      <d:sync-level>1</d:sync-level>${nresults}<d:prop><d:getetag/></d:prop></d:sync-collection>`;
    const answer = await this.report(path, body);
    assert.equal(answer.status, 207, answer.text);
    const [, next = ""] =
      /<d:sync-token>([^<]*)<\/d:sync-token><\/d:multistatus>/.exec(
        answer.text,
      ) ?? [];
    return { token: next, changes: responsesIn(answer.text) };
  }
}

export type Changes = {
  readonly token: string;
  readonly changes: readonly DavResponse[];
};

export type DavResponse = {
  readonly href: string;
  /** Of the resource as a whole; undefined where properties have their own. */
  readonly status: number | undefined;
  readonly xml: string;
};

export const NAMESPACES = `xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:cs="http://calendarserver.org/ns/" xmlns:a="http://apple.com/ns/ical/"`;

/** The responses of a 207. */
export function responsesIn(text: string): DavResponse[] {
  return [...text.matchAll(/<d:response>(.*?)<\/d:response>/gs)].map(
    ([, xml = ""]) => {
      const [, href = ""] = /<d:href>([^<]*)<\/d:href>/.exec(xml) ?? [];
      const own = xml.replace(/<d:propstat>.*<\/d:propstat>/gs, "");
      const [, status] = /HTTP\/1\.1 (\d{3})/.exec(own) ?? [];
      return { href, status: status ? Number(status) : undefined, xml };
    },
  );
}

/** An event as a program writes it. */
export function icalOf(uid: string, ...lines: readonly string[]): string {
  const times = lines.some((line) => line.startsWith("DTSTART"))
    ? []
    : ["DTSTART:20270310T090000Z", "DTEND:20270310T100000Z"];
  return [
    ...["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//Test//EN"],
    ...["BEGIN:VEVENT", `UID:${uid}`, "DTSTAMP:20270101T000000Z"],
    ...times,
    ...lines,
    ...["END:VEVENT", "END:VCALENDAR", ""],
  ].join("\r\n");
}
