import type {
  Notification,
  NotificationOwner,
  Notifications,
} from "../../features/notifications/index.ts";
import type { RenderPush } from "../../features/push/index.ts";
import { typeOf } from "../entities/notification.ts";

/** A notification in words, as the pages say it. */
type Described = {
  readonly title: string;
  readonly body: string;
  readonly icon: string;
  readonly locale: string;
};

export type ProgramPushDeps = {
  readonly notifications: Pick<Notifications, "listSome">;
  readonly describe: (
    user: NotificationOwner,
    notification: Notification,
  ) => Promise<Described | undefined>;
};

/** Push services carry 4,096 bytes, the encryption included (RFC 8291, section 4). */
const MAX_BYTES = 3_000;
const MAX_TITLE = 120;
const MAX_BODY = 140;

/** Writes pushes for programs. Kinds that clients do not know are not pushed, nor are dislikes. */
export function createProgramPush({
  notifications,
  describe,
}: ProgramPushDeps): RenderPush {
  return async (user, notification, { alerts, token }) => {
    const { id, reason } = notification;
    const type = typeOf(reason);
    if (type === undefined || !alerts.includes(type)) return undefined;
    const page = { offset: 0, limit: 1, before: id + 1, after: id - 1 };
    const shown = await notifications.listSome(
      user,
      { reasons: [reason] },
      page,
    );
    const described = shown.length > 0 && (await describe(user, notification));
    if (!described) return undefined;
    const message = {
      access_token: token,
      preferred_locale: described.locale,
      notification_id: id,
      notification_type: type,
      icon: described.icon,
      title: cut(described.title, MAX_TITLE),
      body: cut(described.body, MAX_BODY),
    };
    const text = JSON.stringify(message);
    // Only an address of a picture is as long as that.
    return Buffer.byteLength(text) <= MAX_BYTES
      ? text
      : JSON.stringify({ ...message, icon: "" });
  };
}

/** By characters, so that none is cut in half. */
function cut(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most
    ? text
    : `${characters.slice(0, most - 1).join("")}…`;
}
