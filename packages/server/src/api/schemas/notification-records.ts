import type {
  Notification,
  NotificationChoices,
  NotificationGroup,
} from "../../features/notifications/index.ts";
import type { PersonId } from "../../features/ids.ts";
import type { Person } from "../../features/people/index.ts";
import { presentPerson, type WireRecord } from "./records.ts";

export function presentNotification(
  notification: Notification,
  person: Person | undefined,
): WireRecord {
  const type = typeOf(notification);
  return {
    ID: notification.id,
    CreatedAt: notification.createdAt,
    UpdatedAt: notification.updatedAt,
    UserID: notification.userId,
    PersonID: notification.personId,
    Unread: notification.unread,
    ShareableType: type,
    ShareableGuid: notification.shareableGuid,
    TargetType: type,
    TargetGuid: notification.shareableGuid,
    Person: person ? presentPerson(person) : null,
  };
}

/** Programs know of no conversations: to them one is the post that begins it. */
const typeOf = ({ shareableType }: Notification) =>
  shareableType === "Conversation" ? "Post" : shareableType;

/** More people of a group are counted. */
const MAX_PEOPLE = 8;

export function presentGroup(
  { key, subject, notifications }: NotificationGroup,
  people: ReadonlyMap<PersonId, Person>,
): WireRecord {
  const [newest] = notifications;
  const oldest = notifications.at(-1) ?? newest;
  const ids = new Set(notifications.map(({ personId }) => personId));
  return {
    Key: key,
    Count: notifications.length,
    Unread: notifications.filter(({ unread }) => unread).length,
    NewestID: newest.id,
    OldestID: oldest.id,
    CreatedAt: newest.createdAt,
    ShareableType: subject?.type ?? typeOf(newest),
    ShareableGuid: subject?.guid ?? newest.shareableGuid,
    People: [...ids]
      .flatMap((id) => people.get(id) ?? [])
      .slice(0, MAX_PEOPLE)
      .map((person) => presentPerson(person)),
  };
}

export const presentChoices = ({
  senders,
  dropped,
}: NotificationChoices): WireRecord => ({
  Comment: senders.comment,
  Mention: senders.mention,
  Message: senders.message,
  Like: senders.like,
  Reshare: senders.reshare,
  Follower: senders.follower,
  FollowRequest: senders.follow_request,
  Event: senders.event,
  Poll: senders.poll,
  Edit: senders.edit,
  DropNotFollowing: dropped.includes("not_following"),
  DropNotFollowers: dropped.includes("not_followers"),
  DropNewPeople: dropped.includes("new_people"),
  DropPrivateMessages: dropped.includes("private_messages"),
});
