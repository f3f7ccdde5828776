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
  /** What another process has decided just now is not kept here yet. */
  readonly forgetKept: () => void;
};

/** The job that brings everybody who is known in line with what was decided. */
export const APPLY_HOST_POLICIES = jobKind<Record<string, never>>(
  "apply-host-policies",
  { maxAttempts: 1000 },
);

const AT_ONCE = 500;

/**
 * Goes through all people of other servers, and sets for each whether it is shut
 * out, silenced, or shown without pictures. Contacts with those who are newly
 * shut out end; nobody there is told, for nothing is sent there any more.
 * @returns for how many something has changed
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

/** The same as a job: settings may have changed while nothing ran, and a command may have been interrupted. */
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
  // Also of one who was shut out before: that may have been interrupted.
  if (wanted.shutOut) await endContacts(deps, person.id);
  return isChanged;
}

/** Ends whatever contacts somebody elsewhere has here, without telling it. It may be done again. */
export async function endContacts(
  {
    db,
    aspects,
    contacts,
    people,
  }: Pick<ApplyPoliciesDeps, "db" | "aspects" | "contacts" | "people">,
  personId: PersonId,
): Promise<void> {
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
