import type { Answer, Caller } from "../call.ts";
import { isRecord, parseOrNothing, type Json } from "../json.ts";

type Parameters = Readonly<Record<string, string | readonly string[]>>;

const PAGE = 100;
const MAX_RECORDS = 1000;

/** The service API, for one user or, without a token, for the public. */
export class Service {
  readonly caller: Caller;
  readonly token: string | undefined;

  constructor(caller: Caller, token?: string) {
    this.caller = caller;
    this.token = token;
  }

  /** Any path of the server; parameters are sent as a form. */
  call(method: string, path: string, form?: Parameters): Promise<Answer> {
    return this.caller.call({
      method,
      path,
      headers: {
        ...(this.token === undefined ? {} : { access_token: this.token }),
        ...(form
          ? { "content-type": "application/x-www-form-urlencoded" }
          : {}),
      },
      ...(form ? { body: encode(form) } : {}),
    });
  }

  api(method: string, path: string, form?: Parameters): Promise<Answer> {
    return this.call(method, `/api/v0${path}`, form);
  }

  /** The record at a path, undefined if there is none. @throws for any other answer than 200 and 404 */
  async find(path: string): Promise<Json | undefined> {
    const answer = await this.api("GET", path);
    if (answer.status === 404) return undefined;
    return readRecord(answer, path);
  }

  /** @throws for any other answer than 200 */
  async change(
    method: string,
    path: string,
    form: Parameters = {},
  ): Promise<Json> {
    return readRecord(await this.api(method, path, form), path);
  }

  /** All records of a list, or none if the list does not exist. */
  async list(path: string): Promise<Json[]> {
    const all: Json[] = [];
    const joint = path.includes("?") ? "&" : "?";
    while (all.length < MAX_RECORDS) {
      const where = `${path}${joint}limit=${PAGE}&offset=${all.length}`;
      const answer = await this.api("GET", where);
      if (answer.status === 404) return all;
      if (answer.status !== 200) throw refused(answer, path);
      const page = JSON.parse(answer.text) as Json[];
      all.push(...page);
      if (page.length < PAGE) break;
    }
    return all;
  }
}

function encode(form: Parameters): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(form))
    for (const one of typeof value === "string" ? [value] : value)
      pairs.append(name, one);
  return pairs.toString();
}

function readRecord(answer: Answer, path: string): Json {
  if (answer.status !== 200) throw refused(answer, path);
  const record = parseOrNothing(answer.text);
  if (!isRecord(record)) throw new Error(`${path} answered no record`);
  return record;
}

function refused({ status, text }: Answer, path: string): Error {
  return new Error(`${path} answered ${status} ${text.slice(0, 200)}`);
}
