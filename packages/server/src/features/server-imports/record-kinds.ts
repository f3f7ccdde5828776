/** Why a record of the other server is left out. */
export type Hindrance =
  /** The account was deleted there. */
  | "closed"
  /** No account here may have such a name. */
  | "name"
  /** Somebody else has the name or the Guid here. */
  | "taken"
  /** Its handle is of another domain. */
  | "other_host"
  /** Its keys cannot be read, or do not fit each other. */
  | "keys"
  /** It was used here before, and its owner may have changed it. */
  | "used"
  /** Over the protocol of that person the accounts have other addresses here. */
  | "other_protocol"
  /** Its author, owner or recipient is left out, or not there. */
  | "person"
  /** Its post or comment is left out, or not there. */
  | "target"
  /** It is not known who may read it. */
  | "audience"
  /** The other server has stored the wrong author. */
  | "author"
  /** The other server has no file of it. */
  | "file"
  | "empty"
  | "too_long"
  | "no_date"
  | "malformed"
  | "refused";

export type RecordKind =
  | "account"
  | "aspect"
  | "follow"
  | "follower"
  | "person"
  | "post"
  /** A limited post of unknown recipients, for its author alone. */
  | "narrowed"
  | "picture"
  | "reshare"
  | "comment"
  | "like"
  | "tag"
  | "stream";
