import assert from "node:assert/strict";

/** A record of the service API. */
export type Json = Record<string, unknown>;

export type Answer = { readonly status: number; readonly body: unknown };

/** Each of several values is sent under the same name. */
type Parameters = Readonly<Record<string, string | readonly string[]>>;

/** Calls the service API as client programs do. */
export class ApiClient {
  readonly #baseUrl: string;
  #token = "";

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** Signs up if necessary, and gets a token. */
  static async signUp(baseUrl: string, username: string): Promise<ApiClient> {
    const password = "correct horse";
    const form = new URLSearchParams({ username, password, confirm: password });
    const response = await fetch(`${baseUrl}/users/sign_up`, {
      method: "POST",
      body: form,
      redirect: "manual",
    });
    assert.equal(response.status, 302, await response.text());
    return ApiClient.signIn(baseUrl, username, password);
  }

  /** Gets a token of an account that is there. */
  static async signIn(
    baseUrl: string,
    username: string,
    password: string,
  ): Promise<ApiClient> {
    const client = new ApiClient(baseUrl);
    const token = (await client.post("/oauth/tokens", {
      grant_type: "password",
      username,
      password,
      client_id: "test",
    })) as { token: string };
    client.#token = token.token;
    return client;
  }

  /** The same account, at another process of the same server. */
  at(baseUrl: string): ApiClient {
    const client = new ApiClient(baseUrl);
    client.#token = this.#token;
    return client;
  }

  get token(): string {
    return this.#token;
  }

  async call(
    method: string,
    path: string,
    parameters?: Parameters,
  ): Promise<Answer> {
    const response = await fetch(`${this.#baseUrl}/api/v0${path}`, {
      method,
      headers: { access_token: this.#token },
      ...(parameters ? { body: toForm(parameters) } : {}),
    });
    const text = await response.text();
    return { status: response.status, body: JSON.parse(text) as unknown };
  }

  async get(path: string): Promise<unknown> {
    return succeed(await this.call("GET", path), path);
  }

  async getRecord(path: string): Promise<Json> {
    return (await this.get(path)) as Json;
  }

  async getList(path: string): Promise<Json[]> {
    return (await this.get(path)) as Json[];
  }

  async post(path: string, parameters: Parameters = {}): Promise<Json> {
    return succeed(await this.call("POST", path, parameters), path) as Json;
  }

  async put(path: string, parameters: Parameters = {}): Promise<Json> {
    return succeed(await this.call("PUT", path, parameters), path) as Json;
  }

  async delete(path: string): Promise<Json> {
    return succeed(await this.call("DELETE", path), path) as Json;
  }
}

function toForm(parameters: Parameters): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, given] of Object.entries(parameters))
    for (const value of [given].flat()) form.append(name, value);
  return form;
}

function succeed({ status, body }: Answer, path: string): unknown {
  assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
  return body;
}
