import type { SignUpFault } from "../../../features/accounts/index.ts";
import { englishPoll } from "./posts/poll.ts";

export type FormFault = SignUpFault | "confirm_differs";

const count = (n: number, one: string, many: string) =>
  `${n} ${n === 1 ? one : many}`;

/** The English texts of the pages. */
export const englishPages = {
  language: "en",
  skipToContent: "Skip to the content",
  mainNavigation: "Main",
  signIn: "Sign in",
  signUp: "Sign up",
  signOut: "Sign out",
  places: {
    home: "Home",
    events: "Events",
    write: "Write",
    me: "Me",
    search: "Search",
    searchHere: "Search for people, tags and posts",
  },
  notifications: "Notifications",
  unread: "unread",
  contacts: "People",
  profile: "Profile",
  settings: "Settings",
  administration: "Administration",
  olderPosts: "Older posts",
  newerPosts: "Newer posts",
  laterComments: "Later comments",
  earlierComments: "Earlier comments",

  list: {
    table: "Table",
    older: "Older",
    newer: "Newer",
    back: "Back to the list",
  },

  form: {
    expired:
      "The form was out of date, so nothing was changed. What you typed is still here: look at it, and send it again.",
    signedOut:
      "You had been signed out, so nothing was changed. What you typed is still here: look at it, and send it.",
  },

  landing: {
    title: (host: string) => host,
    heading: "Your people, wherever they are",
    about:
      "Kith is a social network made of many servers. Write to everyone, or only to the people you choose; talk with people on any server of diaspora* and of the fediverse.",
    handles: "People who sign up here get an address like",
    handleExample: "name",
    closed: "This server takes no new accounts at the moment.",
    approval: "New accounts are reviewed before they can be used.",
    toHome: "To your home",
    signedInAs: "You are signed in as",
  },

  account: {
    signUpTitle: "Create an account",
    signInTitle: "Sign in",
    kept: "You are no longer signed in. Your text is kept: sign in to continue.",
    username: "Username",
    usernameHint: (host: string) =>
      `Lowercase letters, digits and underscores, up to 30. Your address will be username@${host} and cannot be changed later.`,
    password: "Password",
    passwordHint: (min: number) =>
      `${min} characters or more. A few words are easier to keep than one odd one.`,
    confirm: "Password again",
    haveAccount: "Already have an account?",
    noAccount: "No account yet?",
    wrong: "There is no account with this username and password.",
    suspended:
      "This account is suspended. You can sign in again when the administrators lift the suspension.",
    reason: "Why do you want to join?",
    reasonHint: (max: number) =>
      `Only the moderators see it, and only until they decide. At most ${max} characters; you may leave it empty.`,
    invited: "You are invited: your account can be used at once.",
    approval:
      "New accounts need approval. You can sign in once your account has been approved.",
    notices: {
      created: "Your account is ready. Sign in to begin.",
      pending:
        "Your account has been created. You can sign in once it has been approved.",
    },
    faults: {
      username_blank: "Choose a username.",
      username_malformed:
        "A username has 1 to 30 characters: letters from a to z, digits and _.",
      username_taken: "This username is taken.",
      password_too_short: "The password is too short.",
      password_too_long: "The password is too long.",
      reason_too_long: "Your reason is too long.",
      network_refused: "No accounts can be made from your network.",
      email_refused: "This e-mail address cannot be used here.",
      confirm_differs: "The two passwords are not the same.",
    } satisfies Record<FormFault, string>,
  },

  write: {
    text: "What is on your mind?",
    hint: "Markdown works: *emphasis*, **strong**, > quote, [link](https://…).",
    audience: "Who sees it",
    audiences: {
      everyone: "Everyone",
      unlisted: "Everyone, but not in public lists",
      followers: "My followers",
      all_aspects: "All my aspects",
      aspects: "Chosen aspects",
      mentioned: "The people mentioned in the text",
      self: "Only me",
    },
    members: (n: number) => count(n, "person", "people"),
    more: "Pictures, video, poll, content warning",
    warning: "Content warning",
    warningHint: "Shown instead of the post until a reader opens it.",
    photos: "Pictures, sounds and videos",
    photosHint: (most: number) =>
      `Up to ${most}: JPEG, PNG, GIF, WebP, AVIF, MP4, WebM, MP3, Ogg, FLAC or WAVE.`,
    photoTexts: "What they show",
    photoTextsHint:
      "One line for each of them, for people who do not see or hear it.",
    attached: (n: number) => count(n, "file is", "files are") + " attached.",
    question: "Question of a poll",
    answers: "Answers",
    answersHint: "One line for each answer, from 2 to 20.",
    multiple: "Readers may choose several answers",
    noneChosen: "Choose at least one aspect.",
    photoRefused:
      "A picture could not be used, or a sound or a video: it is too large or too long, or of another format. The others are attached.",
    pollRefused:
      "A poll needs a question and 2 to 20 different answers of at most 255 characters.",
    publish: "Publish",
    toWholeForm: "More…",
    blank: "Write something first.",
    expired:
      "The form was out of date, so nothing is published. Your words are still here: look at who sees them, and publish them again.",
    signedOut:
      "You had been signed out, so nothing was published. Your words are still here: look at who sees them, and publish them.",
    tooLong: (max: number) => `A post has at most ${max} characters.`,
    noAspect: "This aspect no longer exists. Choose who sees the post.",
  },

  post: {
    titleBy: (name: string) => `A post by ${name}`,
    everyone: "Everyone",
    limited: "Limited",
    limitedHint: "Only some people see this",
    pinned: "Pinned",
    reshared: "reshared",
    rootGone: "The post that was reshared is not here.",
    quotedLink: "Quoted post",
    quoteStates: {
      pending: "Its author has not allowed the quote yet.",
      rejected: "Its author did not allow the quote.",
      revoked: "Its author no longer allows the quote.",
    },
    revokeQuote: "Take my post out of this quote",
    linkPreview: "Linked page",
    comments: (n: number) => count(n, "comment", "comments"),
    likes: (n: number) => count(n, "like", "likes"),
    reactions: "Reactions",
    whoReacted: "Who reacted",
    commentsTitle: "Comments",
    noComments: "No comments yet.",
    nsfw: "Sensitive content: show",
    photo: "Picture without a description",
    video: "Video without a description",
    sound: "Sound without a description",
    open: (name: string) => `Open: ${name}`,
    written: "Written at",
    original: (host: string) => `Original on ${host}`,
  },

  answer: {
    like: "Like",
    unlike: "Unlike",
    reshare: "Reshare",
    unreshare: "Undo the reshare",
    edit: "Edit",
    delete: "Delete",
    more: "More",
    bookmark: "Bookmark",
    unbookmark: "Remove the bookmark",
    pin: "Pin to my profile",
    unpin: "Unpin from my profile",
    answer: "Reply",
    /** Follow the words of a button, for screen readers. */
    postBy: (name: string) => `the post by ${name}`,
    commentBy: (name: string) => `the comment by ${name}`,
    text: "Write a comment",
    send: "Comment",
    signIn: "Sign in to comment",
    inAnswerTo: "In reply to",
    onPost: "Comment on the post instead",
    blank: "Write something first.",
    tooLong: (max: number) => `A comment has at most ${max} characters.`,
    answeredIsGone:
      "The comment you replied to is gone. You can still comment on the post.",
    expired:
      "The form was out of date, so nothing was sent. Your words are still here: send them again.",
    signedOut:
      "You had been signed out, so nothing was sent. Your words are still here: send them now.",
  },

  report: {
    links: {
      post: "Report this post",
      comment: "Report this comment",
      person: "Report this person",
    },
    whoReads:
      "The moderators of this server read it. The reported person is not notified.",
    category: "What is wrong with it",
    categories: {
      spam: "It is spam",
      legal: "It is against the law",
      violation: "It is against the rules of this server",
      other: "Something else",
    },
    text: "In your words",
    forward:
      "If the person is on another server, notify its moderators, too. They do not learn who you are.",
    send: "Report",
    thanks: "Thank you. Your report has been received.",
    isForwarded: "The person’s server is notified, too.",
    isNotForwarded: "No other server is notified.",
    back: "To your home",
    refused: "That is too long, or it is your own.",
    expired:
      "The form was out of date, so nothing was sent. Your words are still here: send them again.",
    signedOut:
      "You had been signed out, so nothing was sent. Your words are still here: send them now.",
  },

  poll: englishPoll,

  settingsPage: {
    title: "Settings",
    language: "Language",
    timeZone: "Time zone",
    timeZoneHint: "Times are shown in it.",
    postLanguage: "Language you write in",
    postLanguageHint:
      "A language tag such as en or pt-BR. Your posts and comments say it unless you choose another one. Leave it empty to say none.",
    readLanguages: "Languages you read",
    readLanguagesHint:
      "Language tags such as en de, with spaces between. Your home and the public posts leave out posts in other languages. Leave it empty to see all.",
    appearance: "Appearance",
    appearances: {
      system: "Like your device",
      light: "Light",
      dark: "Dark",
    },
    appearanceHint: "It applies to this browser only.",
    linkPreviews: "Previews of linked pages",
    linkPreviewsHint:
      "This server visits the page that a public post of yours links, and shows its title and picture below the post.",
    save: "Save",
    saved: "Your settings are saved.",
    refused:
      "A language, the time zone or the appearance is not known here. Nothing was changed.",
    more: "All settings",
    general: "Language, time and looks",
    security: "Security",
    securityAbout: "Password, second factor, passkeys, sessions and programs",
    profile: "Your profile",
    invitations: "Invitations",
  },

  profileForm: {
    title: "Your profile",
    saved: "Your profile is saved.",
    firstName: "First name",
    lastName: "Last name",
    bio: "About you",
    location: "Where you live",
    gender: "Gender",
    birthday: "Birthday",
    shownTo: "Who sees it",
    audiences: {
      everyone: "Everyone",
      contacts: "People you share with",
      nobody: "Nobody",
    },
    picture: "New picture",
    header: "New header picture, wide",
    removePicture: "Remove the picture",
    removeHeader: "Remove the header picture",
    pictureHint: "JPEG, PNG, GIF, WebP or AVIF. Everyone sees it.",
    fields: "Your own lines",
    fieldsHint:
      "Such as “Pronouns” or “Web site”. They are seen by those who see what you write about yourself.",
    fieldName: (n: number) => `Name of line ${n}`,
    fieldValue: (n: number) => `Text of line ${n}`,
    nsfw: "My posts are not for everyone’s eyes",
    bot: "A program posts here by itself",
    save: "Save the profile",
    refused:
      "Nothing was saved. First and last name have at most 32 characters and no semicolon, places and genders at most 255, a birthday is a date that is not in the future, and each line of your own needs a name and a text.",
    pictureRefused:
      "Nothing was saved: the picture is too large, or of another format.",
    expired:
      "The form was out of date, so nothing was saved. What you typed is still here: save it again.",
    signedOut:
      "You had been signed out, so nothing was saved. What you typed is still here: save it now.",
  },

  bookmarks: {
    title: "Bookmarks",
    about: "Only you see what you bookmark.",
    none: "No bookmarks yet. Bookmark a post to find it here again.",
  },

  person: {
    posts: "Posts",
    change: "Edit your profile",
    invite: "Invite people",
    feeds: "Feeds:",
    noPosts: "Nothing to see here yet.",
    elsewhere: (host: string) => `This person’s home server is ${host}.`,
    visitHome: "Visit the home page",
    locked: "This person approves followers.",
    kinds: {
      bot: "A program posts here by itself.",
      group: "This is a group.",
    },
    moved: "This person has moved, and is now",
    description: (name: string, handle: string) =>
      `${name} (${handle}) on Kith`,
  },

  apiDocs: {
    title: "The API for programs",
    contents: "Contents",
    base: "All paths begin with",
    token:
      "The access token goes into the header access_token, into Authorization: Bearer, or into a parameter access_token.",
    machines: "The same as an OpenAPI document.",
    noToken: "Needs no token.",
    parameters: "Parameters",
    inPath: "in the path",
    required: "(required)",
    answers: "Answers",
    records: "Records",
    mayMiss: "(left out where there is none)",
    or: "or",
    listOf: "list of",
    types: {
      "date-time": "time",
      null: "null",
      string: "text",
      integer: "number",
      boolean: "true or false",
      object: "object",
    } as Readonly<Record<string, string>>,
  },

  error: {
    home: "To the start page",
    notFound: {
      title: "Nothing to see here",
      text: "This page does not exist, or you may not see it.",
      signIn: "If you have an account, try signing in",
    },
    forbidden: {
      title: "That was not accepted",
      text: "The form is out of date or came from another site. Go back, load the page again and send it once more.",
    },
    registrationClosed: {
      title: "No new accounts",
      text: "This server takes no new accounts at the moment.",
    },
    invitationRefused: {
      title: "This invitation does not work",
      text: "It may be mistyped, used up, revoked or expired. Ask the person who invited you for another one.",
    },
    tooLarge: {
      title: "Too much at once",
      text: "Your upload is larger than this server allows.",
    },
    tooMany: {
      title: "Too often",
      text: "Too many requests in a short time. Please wait a while and try again.",
    },
    refused: {
      title: "That did not work",
      text: "The server could not understand the request.",
    },
    failed: {
      title: "Something went wrong here",
      text: "This is not your fault. The error has been logged; please try again later.",
    },
  },
};
