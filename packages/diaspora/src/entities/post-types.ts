/** A post. `text` may only be missing when there are photos. */
export interface StatusMessage {
  readonly type: "status_message";
  author: string;
  guid: string;
  createdAt?: string;
  public: boolean;
  providerDisplayName?: string;
  /** Markdown, at most 65535. */
  text?: string;
  editedAt?: string;
  /** All by the post's author. */
  photos: Photo[];
  location?: Location;
  poll?: Poll;
  event?: CalendarEvent;
  embed?: Embed;
  /** The same post's ActivityPub id; an extension of Socialhome, for servers that speak both. */
  activitypubId?: string;
}

/** A photo of a post, or a separate one. The file is at `remotePhotoPath + remotePhotoName`. */
export interface Photo {
  readonly type: "photo";
  guid: string;
  author: string;
  public: boolean;
  createdAt?: string;
  editedAt?: string;
  /** Ends with a slash. */
  remotePhotoPath: string;
  remotePhotoName: string;
  text?: string;
  statusMessageGuid?: string;
  /** In pixels. */
  height?: number;
  /** In pixels. */
  width?: number;
}

/** A place; the coordinates are decimal degrees, as text. */
export interface Location {
  readonly type: "location";
  address?: string;
  lat: string;
  lng: string;
}

/** A poll with at least two answers. Its votes are {@link PollParticipation}s. */
export interface Poll {
  readonly type: "poll";
  guid: string;
  question: string;
  pollAnswers: PollAnswer[];
}

/** One of the answers of a poll. */
export interface PollAnswer {
  readonly type: "poll_answer";
  guid: string;
  answer: string;
}

/** A calendar event, announced by a post. */
export interface CalendarEvent {
  readonly type: "event";
  author: string;
  guid: string;
  editedAt?: string;
  summary: string;
  description?: string;
  start: string;
  end?: string;
  allDay: boolean;
  /** An IANA name such as `Europe/Berlin`. */
  timezone?: string;
  location?: Location;
}

/** The page to preview with a post, or `nothing: true` for none. */
export interface Embed {
  readonly type: "embed";
  url?: string;
  title?: string;
  description?: string;
  image?: string;
  nothing?: boolean;
}

/** A reshare of another post; both root properties or, when the original is deleted, neither. */
export interface Reshare {
  readonly type: "reshare";
  author: string;
  guid: string;
  createdAt?: string;
  rootAuthor?: string;
  rootGuid?: string;
}
