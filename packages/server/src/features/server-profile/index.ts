import type { Db } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import { joinLines } from "../../lib/lines.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { storableText } from "../../lib/well-formed.ts";
import type { Audit, Doer } from "../audit/index.ts";
import {
  findServerProfile,
  saveServerProfile,
  type Registration,
  type ServerProfile,
} from "./server-profile-store.ts";

export type { Registration, ServerProfile } from "./server-profile-store.ts";

/** In code points. */
export const SERVER_PROFILE_LIMITS = {
  name: 100,
  description: 1_000,
  rules: 5_000,
} as const;

/** As shown: with the registration that is in force. */
export type ShownServer = ServerProfile & {
  /** The registration in force: by the admins, else by the configuration. */
  readonly signUp: Registration;
};

export type ServerProfiles = ReturnType<typeof createServerProfile>;

type Deps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly audit: Audit;
  /** By the configuration. */
  readonly registration: Registration;
};

const NOTHING: ServerProfile = {
  ...{ name: "", description: "", rules: "", registration: null },
};

/** Every page reads it. Other processes show a change after this time. */
const CACHED_MS = 5_000;

/** The description of the server, and its registration. */
export function createServerProfile(deps: Deps) {
  let cached:
    { readonly server: ShownServer; readonly atMs: number } | undefined;
  return {
    get: async (): Promise<ShownServer> => {
      const atMs = deps.clock.now().getTime();
      if (cached && Math.abs(atMs - cached.atMs) < CACHED_MS)
        return cached.server;
      const profile = (await findServerProfile(deps.db.read)) ?? NOTHING;
      const signUp = profile.registration ?? deps.registration;
      const server = { ...profile, signUp };
      cached = { server, atMs };
      return server;
    },
    /** @throws {KithError} `bad_request` for a text that is too long */
    save: async (by: Doer, given: ServerProfile): Promise<void> => {
      const profile = {
        name: joinLines(readText(given, "name"), " "),
        description: readText(given, "description"),
        rules: readText(given, "rules"),
        registration: given.registration,
      };
      await deps.db.transaction(async (tx) => {
        await saveServerProfile(tx, profile, timestamp(deps.clock.now()));
        await deps.audit.recordAct(tx, {
          by,
          action: "server.describe",
          target: profile.name,
          details: profile.registration ?? "",
        });
      });
      cached = undefined;
    },
  };
}

function readText(
  given: ServerProfile,
  field: keyof typeof SERVER_PROFILE_LIMITS,
): string {
  const text = storableText(given[field]).trim();
  const max = SERVER_PROFILE_LIMITS[field];
  if ([...text].length > max)
    throw new KithError(
      "bad_request",
      `The parameter ${field} must have at most ${max} characters.`,
    );
  return text;
}
