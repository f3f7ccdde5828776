const count = (n: number, one: string, many: string) =>
  `${n} ${n === 1 ? one : many}`;

/** The English texts of the security pages. */
export const englishSecurity = {
  title: "Security",
  password: "Your password",
  code: "Code",
  codeHint:
    "The six digits that your app shows now, or one of your recovery codes.",
  back: "Back to Security",
  expired:
    "The form was out of date, so nothing was changed. What you chose is still chosen; type the password again.",
  signedOut:
    "You had been signed out, so nothing was changed. What you chose is still chosen; type the password again.",

  secondStep: {
    title: "One more step",
    text: "Your account needs a second factor.",
    button: "Go on",
    wrong:
      "This code is wrong or was used before. Wait for the next one and try again.",
    again: "Sign in with another account",
  },

  faults: {
    wrong: "The password or the code is wrong. Nothing was changed.",
    choice:
      "Choose one of the list. It may also have ended already. Nothing was changed.",
    name: "The name must have 1 to 50 characters. Nothing was changed.",
    conflict: "This conflicts with the current settings. Nothing was changed.",
    passkey: "Your browser provided no usable passkey. Try again.",
  },

  sessions: {
    title: "Where you are signed in",
    unknown: "Unknown browser",
    current: "this one",
    others: "All others",
    end: "End the session",
    none: "You have no other sessions.",
  },

  tokens: {
    title: "Programs with access",
    lastUsed: "last used",
    end: "Revoke access",
    none: "No program has access to your account.",
  },

  appPasswords: {
    title: "App passwords",
    text: "An app password opens your calendars, and nothing else, in a calendar app on your phone or computer.",
    needed: "Because your account has a second factor, apps need one.",
    nameHint: "The app or device, such as “Calendar on my phone”.",
    add: "Make an app password",
    remove: "Remove the app password",
    made: "A new app password",
    once: (name: string) =>
      `This is the password for “${name}”. Type it there now: it is never shown again.`,
    username: "Username",
    secret: "Password",
  },

  secondFactor: {
    title: "Second factor",
    off: "Your password alone opens your account. With a second factor it also takes a code from an app on your phone, such as Aegis, FreeOTP or 1Password.",
    on: "On: your password alone does not open your account.",
    left: (n: number) =>
      `You have ${count(n, "recovery code", "recovery codes")} left.`,
    ends: "This ends all other sessions and revokes the access of all programs.",
    setUp: "Set up a second factor",
    scan: "Read this picture with your app, or type the secret.",
    picture: "The secret as a picture",
    secret: "Secret",
    firstCode: "The six digits that your app shows now.",
    confirm:
      "Then type the code that the app shows, to confirm the second factor.",
    notAgain:
      "Type the code that your app shows now. The secret is not shown again: if your app does not have it, go back and start anew, with your password and another secret.",
    turnOn: "Turn on",
    renew: "New recovery codes",
    renewText: "Your current codes become invalid.",
    turnOff: "Turn off the second factor",
  },

  recoveryCodes: {
    title: "Your recovery codes",
    text: "Each of them opens your account once in place of a code of the app. Write them down or print them now: they are never shown again. Without the app and these codes you cannot sign in any more.",
  },

  passkeys: {
    title: "Passkeys",
    text: "A passkey is kept by your device or by your password manager, which asks for your finger, your face or a PIN. It opens your account without name, password and code.",
    added: "added",
    used: "used",
    name: "Name",
    nameHint: "To recognize it later, such as “My phone”.",
    add: "Add a passkey",
    remove: "Remove the passkey",
    needsScript:
      "To add one, you need a browser with JavaScript that knows passkeys.",
    signIn: "Sign in with a passkey",
    notUsed:
      "Your browser provided no passkey. Try again, or use your password.",
    notMade:
      "No passkey was made: the password is not right, your device has one for this account already, or you stopped it.",
    unknown: "This passkey is unknown, or the request has expired.",
  },
};
