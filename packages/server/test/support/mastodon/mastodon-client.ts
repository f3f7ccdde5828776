import assert from "node:assert/strict";
import { picture } from "../scenes/pictures.ts";
import { quickFetch } from "../streams/quick-fetch.ts";
import type { KithServer, TestPerson } from "../server/kith-server.ts";

type Json = Readonly<Record<string, unknown>>;

/** One answer of the client API. */
export type MastodonAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
};

/** The parts of statuses that tests look at. */
export type StatusRecord = {
  readonly id: string;
  readonly uri: string;
  readonly url: string;
  readonly content?: string;
  readonly text?: string;
  readonly visibility: string;
  readonly spoiler_text: string;
  readonly sensitive: boolean;
  readonly language: string | null;
  readonly created_at: string;
  readonly edited_at: string | null;
  readonly in_reply_to_id: string | null;
  readonly in_reply_to_account_id: string | null;
  readonly account: AccountRecord;
  readonly reblog: StatusRecord | null;
  readonly media_attachments: readonly MediaRecord[];
  readonly mentions: readonly { id: string; acct: string; url: string }[];
  readonly tags: readonly { name: string; url: string }[];
  readonly poll: PollRecord | null;
  readonly card: { url: string; title: string } | null;
  readonly quote: {
    state: string;
    quoted_status: StatusRecord | null;
  } | null;
  readonly application: { name: string } | null;
  readonly replies_count: number;
  readonly reblogs_count: number;
  readonly favourites_count: number;
  readonly favourited?: boolean;
  readonly reblogged?: boolean;
  readonly muted?: boolean;
  readonly bookmarked?: boolean;
  readonly pinned?: boolean;
  readonly filtered?: readonly {
    filter: { title: string; filter_action: string };
    keyword_matches: readonly string[];
  }[];
};

export type AccountRecord = {
  readonly id: string;
  readonly username: string;
  readonly acct: string;
  readonly display_name: string;
  readonly note: string;
  readonly url: string;
  readonly avatar: string;
  readonly header: string;
  readonly locked: boolean;
  readonly followers_count: number;
  readonly following_count: number;
  readonly statuses_count: number;
  readonly last_status_at: string | null;
  readonly fields: readonly { name: string; value: string }[];
  readonly source?: { note: string; privacy: string; language: string | null };
};

export type MediaRecord = {
  readonly id: string;
  readonly url: string;
  readonly preview_url: string;
  readonly description: string | null;
  readonly meta: { focus?: { x: number; y: number } };
};

export type PollRecord = {
  readonly id: string;
  readonly expires_at: string | null;
  readonly expired: boolean;
  readonly multiple: boolean;
  readonly votes_count: number;
  readonly voters_count: number;
  readonly options: readonly { title: string; votes_count: number | null }[];
  readonly voted?: boolean;
  readonly own_votes?: readonly number[];
};

/** Speaks the client API over HTTP, with one token or none. */
export class MastodonClient {
  readonly #baseUrl: string;
  readonly #token: string | undefined;

  constructor(baseUrl: string, token?: string) {
    this.#baseUrl = baseUrl;
    this.#token = token;
  }

  static of(kith: KithServer, who?: TestPerson): MastodonClient {
    return new MastodonClient(kith.baseUrl, who?.token);
  }

  /** @param path below `/api`, with its query */
  async call(
    method: string,
    path: string,
    body?: Json | FormData | URLSearchParams,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<MastodonAnswer> {
    const isForm = body instanceof FormData || body instanceof URLSearchParams;
    const response = await quickFetch(`${this.#baseUrl}/api${path}`, {
      method,
      headers: {
        ...(this.#token && { authorization: `Bearer ${this.#token}` }),
        ...(body && !isForm && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.match(
      response.headers.get("content-type") ?? "",
      /^application\/json\b/,
      `${method} ${path}: ${response.status}`,
    );
    const { status, headers: answered } = response;
    return { status, headers: answered, text, json: JSON.parse(text) };
  }

  async #ask<T>(
    method: string,
    path: string,
    body?: Json | FormData | URLSearchParams,
  ): Promise<T> {
    const answer = await this.call(method, path, body);
    assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
    return answer.json as T;
  }

  get = <T>(path: string) => this.#ask<T>("GET", path);
  post = <T>(path: string, body?: Json | FormData | URLSearchParams) =>
    this.#ask<T>("POST", path, body);
  put = <T>(path: string, body?: Json) => this.#ask<T>("PUT", path, body);
  patch = <T>(path: string, body?: Json | FormData) =>
    this.#ask<T>("PATCH", path, body);
  delete = <T>(path: string, body?: Json) => this.#ask<T>("DELETE", path, body);

  /** Makes sure that a call is refused with exactly this error. */
  async refused(
    method: string,
    path: string,
    status: number,
    error: string | RegExp,
    body?: Json | FormData,
  ): Promise<void> {
    const answer = await this.call(method, path, body);
    const { error: said } = answer.json as { error: string };
    assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`);
    if (typeof error === "string") assert.equal(said, error);
    else assert.match(said, error);
  }

  notFound = (method: string, path: string, body?: Json) =>
    this.refused(method, path, 404, "Record not found", body);

  write = (status: string, more: Json = {}) =>
    this.post<StatusRecord>("/v1/statuses", { status, ...more });

  /** Uploads a small picture. @param fields those beside the file, such as its description */
  async upload(
    fields: Readonly<Record<string, string>> = {},
  ): Promise<MediaRecord> {
    const form = new FormData();
    const bytes = await picture(40, 40).png().toBuffer();
    form.append("file", new Blob([new Uint8Array(bytes)]), "file");
    for (const [name, value] of Object.entries(fields))
      form.append(name, value);
    return this.post<MediaRecord>("/v2/media", form);
  }
}

/** The addresses of a Link header, by their relation, in their order. */
export function readLinks(answer: MastodonAnswer): Map<string, string> {
  const header = answer.headers.get("link") ?? "";
  const links = new Map<string, string>();
  for (const [, url = "", rel = ""] of header.matchAll(
    /<([^>]+)>; rel="(\w+)"/g,
  ))
    links.set(rel, url);
  return links;
}
