import type { Session } from "../../features/accounts/index.ts";
import type { ShareWith } from "../../features/calendars/index.ts";
import type {
  AspectId,
  CalendarId,
  CalendarShareId,
} from "../../features/ids.ts";
import { flag, readInput, text } from "../../http/input/input.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { calendarTexts } from "../languages/texts.ts";
import { unlessDone } from "../people/contact-routes.ts";
import type { PagesContext } from "../session/visitor.ts";

const texts = calendarTexts.shares;

const SHARE = Type.Object({
  person: text("The address of a person of this server, or its name here"),
  aspect: text("The ID of an aspect"),
  write: flag("May they change the calendar?"),
});

const END = Type.Object({ share: text("The ID of a share") });

type Act = (
  session: Session,
  id: CalendarId,
  parameters: Parameters,
) => Promise<{ readonly fault?: string } | undefined>;

/** The forms with which a calendar is shared, and with which a share ends. */
export function shareActs(
  context: PagesContext,
): readonly (readonly [string, Act])[] {
  const { calendars } = context;
  return [
    [
      "share",
      async ({ user }, id, parameters) => {
        const input = readInput(SHARE, parameters);
        const recipient = await readRecipient(context, input);
        if (typeof recipient === "string") return { fault: recipient };
        try {
          await calendars.share(user, id, recipient, input.write ?? false);
          return undefined;
        } catch (error) {
          const isMendable =
            error instanceof KithError &&
            ["bad_request", "conflict"].includes(error.code);
          if (!isMendable) throw error;
          return { fault: texts.faults.refused };
        }
      },
    ],
    [
      "share/end",
      async ({ user }, id, parameters) => {
        const { share = "" } = readInput(END, parameters);
        const shareId = readNumber(share) as CalendarShareId;
        await unlessDone(calendars.endShare(user.userId, id, shareId));
        return undefined;
      },
    ],
    [
      "leave",
      async ({ user }, id) => {
        await unlessDone(calendars.leaveShared(user, id));
        return undefined;
      },
    ],
  ];
}

/** @returns the words of a fault, if it names nobody, or both */
async function readRecipient(
  { people, baseUrl }: Pick<PagesContext, "baseUrl" | "people">,
  {
    person = "",
    aspect = "",
  }: { readonly person?: string; readonly aspect?: string },
): Promise<ShareWith | string> {
  const name = person.trim().replace(/^@/, "").toLowerCase();
  if ((name === "") === (aspect === "")) return texts.faults.one;
  if (name === "") return { aspectId: readNumber(aspect) as AspectId };
  const handle = name.includes("@") ? name : `${name}@${new URL(baseUrl).host}`;
  const found = await people.find({ handle });
  return found?.state === "active"
    ? { personId: found.id }
    : texts.faults.nobody(person.trim());
}

/** 0 for what no id can be. */
function readNumber(given: string): number {
  return /^[1-9]\d{0,14}$/.test(given) ? Number(given) : 0;
}
