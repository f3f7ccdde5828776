import type { Db } from "../../db/db.ts";
import { DONE, jobKind, type JobHandler } from "../../jobs/job.ts";
import type { Aspects } from "../aspects/index.ts";
import type { Contacts } from "../contacts/index.ts";
import type { PersonId } from "../ids.ts";
import {
  hostsOf,
  unite,
  type People,
  type RemoteModerationState,
} from "../people/index.ts";
import type { Verdict } from "./host-policy.ts";

export type ApplyPoliciesDeps = {
  readonly db: Db;
  readonly aspects: Aspects;
  readonly contacts: Contacts;
  readonly people: People;
  readonly verdictOn: (addresses: readonly string[]) => Promise<Verdict>;
  /** Drops the cache, which may lack a decision that another process has just made. */
  readonly forgetKept: () => void;
};

/** The job that applies the host policies to all known people. */
export const APPLY_HOST_POLICIES = jobKind<Record<string, never>>(
  "apply-host-policies",
  { maxAttempts: 1000 },
);

const AT_ONCE = 500;

/**
 * Goes through all remote people and sets for each whether the person is suspended,
 * silenced, or shown without images. Ends the contacts of newly suspended people without
 * notifying their server, since nothing is delivered to it any more.
 * @returns the number of people changed
 */
export type ApplyHostPolicies = () => Promise<number>;

export function createApplyHostPolicies(
  deps: ApplyPoliciesDeps,
): ApplyHostPolicies {
  return async () => {
    deps.forgetKept();
    let changed = 0;
    let after = 0;
    for (;;) {
      const some = await deps.people.listRemoteStandings(after, AT_ONCE);
      for (const person of some) if (await apply(deps, person)) changed += 1;
      const last = some.at(-1);
      if (!last) return changed;
      after = last.id;
    }
  };
}

/**
 * The same as a job: settings may have changed while the server was down, and a command may
 * have been interrupted.
 */
export function createApplyHostPoliciesJob(
  apply: ApplyHostPolicies,
): JobHandler<Record<string, never>> {
  return async () => {
    await apply();
    return DONE;
  };
}

async function apply(
  deps: ApplyPoliciesDeps,
  person: RemoteModerationState,
): Promise<boolean> {
  const verdict = await deps.verdictOn(hostsOf(person));
  const wanted = unite(verdict, person.decided);
  const isChanged =
    wanted.shutOut !== person.shutOut ||
    wanted.silenced !== person.silenced ||
    wanted.mediaRejected !== person.mediaRejected;
  if (isChanged)
    await deps.db.transaction((tx) => deps.people.renewStanding(tx, person));
  // Also for people suspended before: an earlier run may have been interrupted.
  if (wanted.shutOut) await endContacts(deps, person.id);
  return isChanged;
}

/** Ends the local contacts of a remote person without notifying the person. Idempotent. */
export async function endContacts(
  {
    db,
    aspects,
    contacts,
    people,
  }: Pick<ApplyPoliciesDeps, "db" | "aspects" | "contacts" | "people">,
  personId: PersonId,
): Promise<void> {
  await db.transaction((tx) =>
    contacts.requests.endAllOf(tx, { id: personId, userId: null }),
  );
  for (const userId of await contacts.listUsersRelatedTo(personId)) {
    const user = await people.find({ userId });
    if (!user) continue;
    const by = { userId, personId: user.id };
    await db.transaction(async (tx) => {
      await aspects.lock(tx, [userId]);
      await aspects.removeFromAll(tx, by, { id: personId });
      await contacts.endSharing(tx, userId, personId);
    });
  }
}
