/** The English texts of the account: its password, export, move and end. */
export const englishAccount = {
  title: "Account",
  linkAbout: "Your password, your data, and leaving",
  proof: "Your password",

  password: {
    title: "Change your password",
    current: "The password until now",
    wanted: "The new password",
    hint: (least: number) => `At least ${least} characters.`,
    confirm: "The new password, once more",
    about:
      "You are signed out everywhere else, and programs need the new password.",
    button: "Change the password",
    done: "Your password is changed.",
    wrong: "The password until now is wrong. Nothing was changed.",
    short: (least: number, most: number) =>
      `The new password must have ${least} to ${most} characters. Nothing was changed.`,
    differ: "The two new passwords differ. Nothing was changed.",
  },

  profileFaults: {
    tooLong: (max: number) => `Use at most ${max} characters.`,
    semicolon: "A name cannot have a semicolon.",
    birthday:
      "Enter a date that is not in the future, such as 1990-05-17, or leave it empty.",
    incompleteLine: "A line of your own needs a name and a text.",
  },

  export: {
    title: "Take your data with you",
    about:
      "An archive with everything that you have here: your profile, aspects, posts, comments, events, settings and pictures. It has no passwords, and nothing that others wrote.",
    button: "Download your data",
    running: "An export of your account is running already. Try again later.",
  },

  moving: {
    title: "Move to or from another server",
    link: "Move to or from another server",
    about:
      "Two accounts on two servers can become one. Both must agree, so a part of the move happens there. An archive of your data is made before, on the page of your account.",
    handle: "The account on the other server",
    handleHint: "Such as alice@elsewhere.example",
    signature: "The signature of the other account",
    signatureOptional:
      "The other server gives it, if it speaks the protocol of diaspora*. Leave it empty to redirect your ActivityPub followers alone.",
    aliases: {
      title: "Other accounts of yours",
      about:
        "Followers over ActivityPub may be led here from these accounts, one a line.",
      button: "Save the list",
      saved: "The list is saved.",
      refused:
        "One of them was not found, or cannot move here. Nothing was changed. At most 20 are kept.",
    },
    sign: {
      title: "Agree to a move",
      about:
        "You get a signature for the other server. Give it to nobody else: it stays valid.",
      direction: "What happens",
      directions: {
        here: "I come here from there",
        away: "I go there from here",
      },
      button: "Sign",
      made: "The signature",
      madeAbout: (from: string, to: string) =>
        `It says that ${to} continues ${from}. Enter it on the other server.`,
      refused:
        "There is no such account on another server. Nothing was signed.",
    },
    away: {
      title: "Go to another server",
      about:
        "With a signature everything goes along, and your account here is closed for ever. Without it your followers are led on, and you can write nothing new here.",
      button: "Go to that server",
      begun: "The move has begun. Those who follow you are being told.",
      refused:
        "You were not moved. The other account must exist on another server, and must either have signed or name this account as one of its own.",
    },
    here: {
      title: "Come from another server",
      about:
        "The account there must have signed. Those who follow it are told that you are here now.",
      button: "Continue that account here",
      begun: "The move has begun. Those who follow the old account are told.",
      refused:
        "Nothing was moved. The other account must exist on another server, and the signature must be its own.",
    },
  },

  delete: {
    title: "Delete your account",
    link: "Delete your account…",
    about:
      "Your profile, posts, comments, pictures and events are deleted here. Other servers are told to delete them; they may keep copies. Nobody can ever have your name again. This cannot be undone.",
    before: "Would you like to have your data first?",
    button: "Delete my account for ever",
    back: "Keep my account",
    done: "Your account is deleted",
    doneAbout:
      "Everything that you wrote is being deleted, and the other servers are told.",
  },

  wrong: "The password is wrong. Nothing was changed.",
  expired:
    "The form was out of date, so nothing was changed. Type your password again.",
};
