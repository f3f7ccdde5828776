import type {
  AccountMailKind,
  MailFrequency,
  StaffMailKind,
} from "../../../../features/mail/index.ts";

/** The English texts of mails, and of the pages about them. */
export const englishMails = {
  hello: (name: string) => `Hello ${name},`,
  account: {
    confirm: {
      subject: "Confirm your e-mail address",
      says: (handle: string) =>
        `this address was given for the account ${handle}. Open this page to confirm it, within a day:`,
      link: "Confirm the address",
      ignore:
        "If you do not have this account, ignore this mail: without a confirmation nothing else is sent to you.",
    },
    address_changed: {
      subject: "Your e-mail address was changed",
      says: (handle: string) =>
        `the account ${handle} no longer has this address: it was changed or removed by somebody who knew the password. Mails about the account no longer come here.`,
      link: "Security of the account",
      ignore:
        "If that was not you, change the password, or ask those who run the server for help.",
    },
    reset: {
      subject: "Choose a new password",
      says: (handle: string) =>
        `somebody, hopefully you, has lost the password of the account ${handle}. Open this page to choose a new one, within an hour:`,
      link: "Choose a new password",
      ignore:
        "If that was not you, ignore this mail: your password stays as it is.",
    },
    password_changed: {
      subject: "Your password was changed",
      says: (handle: string) =>
        `the account ${handle} has a new password, which was chosen by a link that was sent to this address. All sessions and programs have to sign in again.`,
      link: "Sign in",
      ignore:
        "If that was not you, choose a new password by such a link, and see that nobody else reads your mails.",
    },
    strike: {
      subject: "The moderators made a decision about your account",
      says: (handle: string) =>
        `the moderators of the server made a decision that concerns the account ${handle}. This page shows it; if the account is suspended, sign in to read why:`,
      link: "Show the decision",
      ignore: "You can appeal against it there, within 20 days.",
    },
    appeal_accepted: {
      subject: "Your appeal was accepted",
      says: (handle: string) =>
        `the moderators of the server accepted your appeal for the account ${handle}, and took their decision back.`,
      link: "Show the decision",
      ignore: "A deleted text does not come back.",
    },
    appeal_rejected: {
      subject: "Your appeal was rejected",
      says: (handle: string) =>
        `the moderators of the server rejected your appeal for the account ${handle}. Their decision stays.`,
      link: "Show the decision",
      ignore: "There is one appeal for each decision.",
    },
  } satisfies Record<
    AccountMailKind,
    {
      subject: string;
      says: (handle: string) => string;
      link: string;
      ignore: string;
    }
  >,
  digest: {
    subject: (server: string) => `What is new on ${server}`,
    says: "this happened since the last summary:",
    more: "And more.",
    all: "All notifications",
  },
  show: "Show it",
  staff: {
    report: {
      subject: (server: string) => `A report waits on ${server}`,
      says: (n: number) =>
        n === 1
          ? "a report waits for a decision."
          : `${n} reports wait for a decision.`,
      link: "Show the reports",
    },
    held: {
      subject: (server: string) => `A text waits on ${server}`,
      says: (n: number) =>
        n === 1
          ? "a text that a rule holds waits for a decision."
          : `${n} texts that rules hold wait for a decision.`,
      link: "Show the held texts",
    },
    appeal: {
      subject: (server: string) => `An appeal waits on ${server}`,
      says: (n: number) =>
        n === 1
          ? "an appeal against a decision waits for an answer."
          : `${n} appeals against decisions wait for an answer.`,
      link: "Show the appeals",
    },
    sign_up: {
      subject: (server: string) => `Somebody wants to join ${server}`,
      says: (n: number) =>
        n === 1
          ? "an account waits for approval."
          : `${n} accounts wait for approval.`,
      link: "Show the accounts",
    },
    backup: {
      subject: (server: string) => `A backup of ${server} failed`,
      says: () =>
        "a backup of the server failed. It is tried again; kith doctor and the log say what is wrong.",
      link: "Show the administration",
    },
  } satisfies Record<
    StaffMailKind,
    {
      subject: (server: string) => string;
      says: (n: number) => string;
      link: string;
    }
  >,
  footer: (handle: string) => `You get this mail because ${handle} chose it.`,
  stop: "Get no more such mails",
  change: "Choose what you get",
  settings: {
    title: "E-mail",
    about:
      "With an e-mail address you can choose a new password if you lose it, and learn by mail what happens. Only you and the administrators of this server see it.",
    address: "Address",
    none: "There is no address yet.",
    isConfirmed: (address: string) => `Mails are sent to ${address}.`,
    isBouncing: (address: string) =>
      `No mail reaches ${address}, says its server. Nothing more is sent there: enter the address again, or another one.`,
    waits: (address: string) =>
      `Open the link that was sent to ${address}; it is valid for a day.`,
    hasEnded: (address: string) =>
      `The link for ${address} has ended, or no mail reaches it. Enter the address again.`,
    newAddress: "New address",
    newAddressHint:
      "A link is sent there to confirm it. The former address is told of the change.",
    change: "Send the link",
    remove: "Remove the address",
    removeHint: "The choices below go with it.",
    password: "Password",
    frequency: "Notifications by mail",
    frequencies: {
      never: "Never",
      at_once: "At once",
      daily: "A summary each day",
      weekly: "A summary each week",
    } satisfies Record<MailFrequency, string>,
    kinds: "Which notifications",
    kindsHint:
      "A mail says who did what, and has a link; it has no text of posts or messages. What you have read already is not sent.",
    staff: "For those who run this server",
    staffKinds: {
      report: "New reports",
      appeal: "New appeals",
      held: "Texts that a rule holds",
      sign_up: "Accounts that wait for approval",
      backup: "Failed backups",
    } satisfies Record<StaffMailKind, string>,
    save: "Save",
    saved: "Your choices are saved.",
    sent: "A link was sent to the address.",
    removed: "The address is removed.",
    wrongPassword: "The password is wrong.",
    malformed: "This is no e-mail address.",
    signUp: "E-mail address (optional)",
    signUpHint:
      "For a new password if you lose it. Only you and the administrators see it.",
  },
  confirm: {
    title: "Confirm an e-mail address",
    asks: (address: string, name: string) =>
      `Shall mails about the account ${name} be sent to ${address}?`,
    confirm: "Confirm",
    done: "The address is confirmed.",
    ended: "This link was used already, or has ended.",
  },
  unsubscribe: {
    title: "No more mails",
    asks: {
      notices: (address: string) =>
        `Shall no more notifications be sent to ${address}?`,
      staff: (address: string) =>
        `Shall no more mails about running the server be sent to ${address}?`,
    },
    confirm: "Send no more",
    done: "No more such mails are sent.",
  },
  reset: {
    title: "New password",
    lost: "Lost your password?",
    about:
      "Enter the e-mail address of your account. If an account has it, a link for a new password is sent there.",
    address: "E-mail address",
    send: "Send the link",
    sent: "If an account has this address, a link was sent there. It is valid for an hour.",
    choose: (name: string) => `A new password for the account ${name}`,
    save: "Set the password",
    done: "The password is changed. Sign in with it.",
    stays: "If the account has a second factor, you still need it to sign in.",
  },
};
