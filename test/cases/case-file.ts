import { readFileSync } from "node:fs";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { root } from "../../scripts/project-files.ts";

/** A step of `given` or `when`, or an assertion of `check`: an object whose first key is its name. */
export type Item = Readonly<Record<string, unknown>>;

export type IndexedActor = {
  readonly type: string;
  readonly preferredUsername: string;
  readonly inbox: string;
  readonly outbox?: string;
  readonly followers?: string;
  readonly following?: string;
  readonly featured?: string;
  readonly alsoKnownAs?: readonly string[];
  readonly movedTo?: string;
  readonly keyId: string;
  readonly sharedInbox?: string | null;
};

export type ServedDocument = {
  readonly status?: number;
  readonly contentType?: string;
  readonly location?: string;
  readonly body?: unknown;
};

export type Case = {
  readonly file: string;
  readonly peer: string;
  readonly via: "inbox" | "fetch";
  readonly httpSigner?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly documents?: Readonly<Record<string, ServedDocument>>;
  readonly given?: readonly Item[];
  readonly when?: readonly Item[];
  readonly check: readonly Item[];
  readonly expect: {
    readonly outcome: "accept" | "ignore" | "reject";
    readonly effect: string;
  };
};

export type Index = {
  readonly defaults: {
    readonly users: readonly string[];
    readonly aspects: Readonly<Record<string, readonly string[]>>;
    readonly relations: readonly (readonly string[])[];
    readonly when: readonly Item[];
    readonly contentType?: string;
    readonly settle: { holdsWithinMs: number; quietMs: number };
  };
  readonly actors: Readonly<Record<string, IndexedActor>>;
  readonly count: number;
  readonly cases: readonly Case[];
};

/** A folder of cases, checked. */
export type CaseFolder = {
  readonly folder: string;
  readonly index: Index;
  /** The text of a payload, with its placeholders. */
  payload(file: string): string;
};

/** A folder that cannot be run; its message lists one fault per line. */
export class BadFolder extends Error {}

/**
 * Reads a folder of cases and checks its index against the schema beside it,
 * or else against ours.
 * @throws {BadFolder}
 */
export function readCaseFolder(folder: string): CaseFolder {
  const index = parse(path.join(folder, "index.json"));
  const faults = faultsOf(index, readSchema(folder));
  if (faults.length > 0) throw new BadFolder(faults.join("\n"));
  const checked = index as Index;
  if (checked.count !== checked.cases.length)
    throw new BadFolder(
      `count is ${checked.count}, but there are ${checked.cases.length} cases`,
    );
  const payload = (file: string) => readText(path.join(folder, file));
  for (const { file } of checked.cases) payload(file);
  return { folder, index: checked, payload };
}

function readSchema(folder: string): object {
  const own = path.join(folder, "index.schema.json");
  const ours = path.join(root, "test/vectors/activitypub/index.schema.json");
  try {
    return parse(own) as object;
  } catch (error) {
    if (error instanceof BadFolder && isMissing(error.cause))
      return parse(ours) as object;
    throw error;
  }
}

function faultsOf(index: unknown, schema: object): string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const check = ajv.compile(schema);
  if (check(index)) return [];
  const lines = (check.errors ?? []).map(
    ({ instancePath, message }) =>
      `index.json${instancePath}: ${message ?? "differs from the schema"}`,
  );
  return [...new Set(lines)].slice(0, 20);
}

function parse(file: string): unknown {
  const text = readText(file);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BadFolder(`${path.basename(file)} is no JSON`, { cause });
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new BadFolder(`${file} cannot be read`, { cause });
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
