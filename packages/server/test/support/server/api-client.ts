import { quickFetch } from "../streams/quick-fetch.ts";
import assert from "node:assert/strict";
import { withoutDetail } from "./answer-check.ts";
import type { Snapshot } from "./snapshot.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE" | "PATCH" | "OPTIONS";

type Value = string | number | boolean;

/** The content of a call. Without its own encoding a body is a form. */
export type Sent = {
  readonly query?: Readonly<Record<string, Value>>;
  readonly form?: Readonly<Record<string, Value>>;
  readonly json?: unknown;
  readonly multipart?: FormData;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
};

export type ClientOptions = {
  readonly baseUrl: string;
  readonly token?: string | undefined;
  readonly snapshot: () => Promise<Snapshot>;
};

/** Speaks the service API over HTTP, with one token or none. */
export class ApiClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  get token(): string {
    return this.#options.token ?? "";
  }

  /** The same server, with another token or none. */
  with(token: string | undefined): ApiClient {
    return new ApiClient({ ...this.#options, token });
  }

  /** Sends a call below `/api/v0`; the answer may be anything. */
  async call(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const { baseUrl, token } = this.#options;
    const headers: Record<string, string> = {};
    if (token !== undefined) headers["access_token"] = token;
    if (sent.json !== undefined) headers["content-type"] = "application/json";
    const url = `${baseUrl}/api/v0${path}${query(sent)}`;
    const response = await quickFetch(url, {
      method,
      headers: { ...headers, ...sent.headers },
      body: bodyOf(sent),
    });
    const { status, headers: answered } = response;
    return { status, headers: answered, text: await response.text() };
  }

  async get<T>(path: string, sent: Sent["query"] = {}): Promise<T> {
    return read(await this.call("GET", path, { query: sent }), path);
  }

  async post<T>(path: string, form: Sent["form"] = {}): Promise<T> {
    return read(await this.call("POST", path, { form }), path);
  }

  async put<T>(path: string, form: Sent["form"] = {}): Promise<T> {
    return read(await this.call("PUT", path, { form }), path);
  }

  /** Deletes, and makes sure that the answer is the empty record. */
  async delete(path: string): Promise<void> {
    assert.deepEqual(read(await this.call("DELETE", path), path), {});
  }

  /** Makes sure that a call is refused with exactly this error, and that nothing changed. */
  async refused(
    method: string,
    path: string,
    sent: Sent,
    status: number,
    error: string,
  ): Promise<void> {
    const before = await this.#options.snapshot();
    const answer = await this.call(method, path, sent);
    assertError(answer, status, error, `${method} ${path}`);
    assert.deepEqual(await this.#options.snapshot(), before);
  }

  notFound(method: string, path: string, sent: Sent = {}): Promise<void> {
    return this.refused(method, path, sent, 404, "Not found");
  }

  badRequest(method: string, path: string, sent: Sent = {}): Promise<void> {
    return this.refused(method, path, sent, 400, "Bad request");
  }

  blank(method: string, path: string, sent: Sent = {}): Promise<void> {
    return this.refused(method, path, sent, 400, "The string is empty");
  }

  unauthorized(method: string, path: string, sent: Sent = {}): Promise<void> {
    return this.refused(method, path, sent, 401, "Unauthorized");
  }
}

/** The documented error object, exactly, except for texts about the caller's own input. */
export function assertError(
  answer: Answer,
  status: number,
  error: string,
  what: string,
): void {
  const text = withoutDetail(answer.text);
  assert.equal(
    `${answer.status} ${text}`,
    `${status} {"error":"${error}"}`,
    what,
  );
  assert.match(
    answer.headers.get("content-type") ?? "",
    /^application\/json\b/,
    what,
  );
}

function read<T>(answer: Answer, path: string): T {
  assert.equal(answer.status, 200, `${path}: ${answer.text}`);
  assert.match(
    answer.headers.get("content-type") ?? "",
    /^application\/json\b/,
  );
  return JSON.parse(answer.text) as T;
}

function query({ query: pairs = {} }: Sent): string {
  const text = encode(pairs).toString();
  return text === "" ? "" : `?${text}`;
}

function bodyOf(sent: Sent): string | URLSearchParams | FormData | null {
  if (sent.form) return encode(sent.form);
  if (sent.multipart) return sent.multipart;
  return sent.json === undefined ? null : JSON.stringify(sent.json);
}

function encode(pairs: Readonly<Record<string, Value>>): URLSearchParams {
  const encoded = new URLSearchParams();
  for (const [name, value] of Object.entries(pairs))
    encoded.append(name, String(value));
  return encoded;
}
