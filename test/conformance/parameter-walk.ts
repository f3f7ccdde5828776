import type { ApiDocument } from "../../packages/server/src/http/api-document.ts";
import type { KithServer } from "../../packages/server/test/support/server/kith-server.ts";
import { injectCall } from "../../packages/server/test/support/streams/inject-call.ts";
import { listNeeded, listTaken } from "./documented-parameters.ts";
import { listOperations, type FuzzOperation } from "./fuzz/fuzz-calls.ts";
import { Random } from "../support/random.ts";
import { FuzzWorld } from "./fuzz/fuzz-world.ts";
import {
  isTyped,
  requestOf,
  rightCall,
  withPart,
  withValues,
  type ParameterCall,
} from "./parameter-call.ts";
import {
  listUnknownKeywords,
  wrongParts,
  wrongValues,
  type Wrong,
} from "./parameter-values.ts";
import { findFault } from "./parameter-verdict.ts";
import { watchWrites } from "./watch-writes.ts";

/** An invalid value in a call, and its place. */
type Mistake = {
  readonly names: readonly string[];
  readonly wrong: Wrong;
  readonly isInPath: boolean;
};

/** These invalidate the caller's account or token. */
const HARMFUL =
  /^(suspend|silence|block|ignore|reset|change(Account|Password)|leave|deleteAccount|move|sign)/;

const SEED = 1;

const NO_ADDRESS = '{"error":"Bad request"}';

/** Calls every operation of the document, each time with one invalid parameter. */
export class ParameterWalk {
  readonly #kith: KithServer;
  readonly #world: FuzzWorld;
  readonly #operations: readonly FuzzOperation[];
  readonly #readVersion: () => Promise<number>;
  readonly #random = new Random(SEED);
  readonly #kept = new Set<string>();
  #calls = 0;

  static async open(kith: KithServer): Promise<ParameterWalk> {
    const answer = await kith.app.inject("/api/v0/openapi.json");
    const document = answer.json<ApiDocument>();
    const world = await FuzzWorld.open(kith, document);
    // Created when it is first used, which is not to count as a change.
    await kith.server.features.accounts.getServerKey();
    const readVersion = await watchWrites(kith);
    const operations = listOperations(document);
    const walk = new ParameterWalk(kith, world, operations, readVersion);
    await walk.#makeThings();
    return walk;
  }

  private constructor(
    kith: KithServer,
    world: FuzzWorld,
    operations: readonly FuzzOperation[],
    readVersion: () => Promise<number>,
  ) {
    this.#kith = kith;
    this.#world = world;
    this.#operations = operations;
    this.#readVersion = readVersion;
  }

  /** Operations that answered a token with a cacheable response. */
  get kept(): string[] {
    return [...this.#kept];
  }

  get calls(): number {
    return this.#calls;
  }

  /** Keywords of parameters that the walk violates nowhere. */
  get notViolated(): string[] {
    return this.#operations.flatMap(({ operation }) =>
      [...operation.parameters, ...listTaken(operation)].flatMap(
        ({ name, schema }) =>
          listUnknownKeywords(schema).map(
            (it) => `${operation.operationId}: ${name}: ${it}`,
          ),
      ),
    );
  }

  /** @returns the faults, in words */
  async run(): Promise<string[]> {
    const faults: string[] = [];
    for (const target of this.#operations)
      for (const mistake of mistakesOf(target)) {
        const fault = await this.#make(target, mistake);
        if (fault !== undefined) faults.push(fault);
      }
    return faults;
  }

  /** Objects for the calls: those that people share, and those created by their jobs. */
  async #makeThings(): Promise<void> {
    const makers = this.#operations.filter(
      ({ method, operation: { operationId } }) =>
        method !== "DELETE" && !HARMFUL.test(operationId),
    );
    for (let round = 0; round < 2; round += 1) {
      for (const target of makers)
        await this.#send(rightCall(target, this.#world, this.#random));
      await this.#kith.settle();
    }
  }

  async #make(
    target: FuzzOperation,
    { names, wrong, isInPath }: Mistake,
  ): Promise<string | undefined> {
    const right = rightCall(target, this.#world, this.#random);
    const call = isInPath
      ? withPart(right, names[0] ?? "", String(wrong.value))
      : withValues(
          right,
          Object.fromEntries(names.map((name) => [name, wrong.value])),
        );
    const before = await this.#readVersion();
    const { status, text } = await this.#send(call);
    const hasChanged = (await this.#readVersion()) !== before;
    const answered = { status, text, names, wrong, isInPath, hasChanged };
    const fault = findFault(answered);
    if (fault === undefined) return undefined;
    // The call may ignore the invalid value.
    const isRefusedAnyway =
      !wrong.isRefused && (await this.#send(right)).text === text;
    return isRefusedAnyway
      ? undefined
      : `${target.operation.operationId}: ${names.join(" or ")} ${wrong.what}: ${fault}: ${status} ${text.slice(0, 200)}`;
  }

  async #send(call: ParameterCall): Promise<{ status: number; text: string }> {
    this.#calls += 1;
    const request = requestOf(call, this.#random);
    const answer = await injectCall(this.#kith.app, request);
    const { status, text } = answer;
    // A malformed address is refused for everyone alike.
    const isAddress = status !== 414 && text !== NO_ADDRESS;
    if (isAddress) this.#checkKept(call, answer.headers);
    if (status === 429) this.#kith.clock.advance(60_000);
    const ok = call.target.operation.responses["200"];
    if (status === 200 && ok && !("$ref" in ok)) {
      const schema = ok.content?.["application/json"]?.schema;
      if (schema) this.#world.learn(schema, JSON.parse(text));
    }
    const { operationId } = call.target.operation;
    // A changed password needs a new person.
    if (status === 200 && operationId === "changePassword")
      await this.#world.replace(call.user);
    if (status === 200 && HARMFUL.test(operationId)) await this.#replaceLost();
    return { status, text };
  }

  /** Responses to a token are not cacheable, and belong to one person. */
  #checkKept(
    { target }: ParameterCall,
    headers: Readonly<Record<string, unknown>>,
  ): void {
    const { operationId, security } = target.operation;
    if (security?.length === 0) return;
    const vary = String(headers["vary"]).toLowerCase().split(/, */);
    const isPrivate =
      /\bno-store\b/.test(String(headers["cache-control"])) &&
      ["authorization", "access_token"].every((it) => vary.includes(it));
    if (!isPrivate) this.#kept.add(operationId);
  }

  /** A caller without a valid token is replaced. */
  async #replaceLost(): Promise<void> {
    for (const user of [...this.#world.users, this.#world.admin]) {
      const headers = { access_token: user.token };
      const url = "/api/v0/settings";
      const answer = await this.#kith.app.inject({ url, headers });
      if (answer.statusCode !== 200) await this.#world.replace(user);
    }
  }
}

function mistakesOf(target: FuzzOperation): Mistake[] {
  const { operation } = target;
  const parts = operation.parameters.filter((it) => it.in === "path");
  const inPath = parts.flatMap(({ name, schema }) =>
    wrongParts(schema).map((wrong) => ({
      ...{ names: [name], wrong, isInPath: true },
    })),
  );
  const values = listTaken(operation).flatMap(({ name, schema }) =>
    wrongValues(name, schema, isTyped(target)).map((wrong) => ({
      names: [name],
      wrong,
      isInPath: false,
    })),
  );
  const missing = listNeeded(operation).map((names) => ({
    names,
    wrong: { what: "missing", value: undefined, isRefused: true },
    isInPath: false,
  }));
  return [...inPath, ...values, ...missing];
}
