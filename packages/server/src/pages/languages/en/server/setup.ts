/** The English texts of the first run, and of what a server says about itself. */
export const englishSetup = {
  title: "Set up this server",
  about:
    "Nobody runs this server yet. Create your account: it will be the admin of the server.",
  code: "Set-up code",
  codeHint:
    "The server prints it whenever it starts without an admin: see its output or its log. It works once, for the first admin.",
  wrongCode:
    "This is not the code that the server printed. Restart it to see the code again, or make an account the admin with the command: kith account promote NAME admin.",
  nobodyYet:
    "Nobody runs this server yet. Set it up first: that makes the account of its admin. Other accounts follow.",
  noAdminYet: "Nobody runs this server yet. Is it yours?",
  begin: "Create the account",
  toSetup: "Set up this server",

  server: "This server",
  serverAbout: "What visitors read on the start page and at “About”.",
  name: "Name",
  nameHint: "Shown at the top of every page. The address stays as it is.",
  description: "What it is for",
  descriptionHint: "Markdown works. A few sentences are enough.",
  rules: "Rules",
  rulesHint: "Markdown works. People see them before they sign up.",
  joining: "Before somebody signs up",
  joiningHint: "Markdown works. It stands above the form for a new account.",
  privacy: "Privacy",
  privacyHint:
    "Markdown works. It stands at “About”, above what this server keeps in any case.",
  terms: "Terms of use",
  termsHint: "Markdown works. People agree to them when they sign up.",
  contact: "Contact",
  contactHint: "The username of an account here, such as your own.",
  contactMail: "E-mail for everybody",
  contactMailHint: "Visitors see it, also in security.txt.",
  registration: "Who may sign up",
  registrations: {
    configured: "As the configuration of the server says",
    open: "Anybody",
    approval: "Anybody, once a moderator has approved the account",
    closed: "Nobody without an invitation",
  },
  save: "Save",
  firstSteps: "Your own first steps",
  refused: (
    max: Readonly<
      Record<"name" | "description" | "rules" | "joining" | "terms", number>
    >,
  ) =>
    `Nothing was saved. A name has at most ${max.name} characters, a description ${max.description}, the rules ${max.rules}, the text before a sign-up ${max.joining}, the texts about privacy and the terms ${max.terms}. The contact has an account here, and the e-mail is an address.`,

  look: "The appearance of this server",
  picture: "Picture of the server",
  pictureHint:
    "JPEG, PNG, GIF, WebP or AVIF. It is on the start page, at “About”, and in apps and link previews.",
  savePicture: "Save the picture",
  removePicture: "Remove the picture",
  pictureRefused:
    "Nothing was saved. The picture has to be a JPEG, PNG, GIF, WebP or AVIF file of at most 20 MB that is not damaged.",
  usualLanguage: "Usual language",
  usualLanguageHint:
    "For visitors whose browser names no language that the pages have. Accounts choose their own.",
  languages: { en: "English", de: "Deutsch" },
  accent_light: "Accent colour on light ground",
  accent_dark: "Accent colour on dark ground",
  accentHint: "Such as #0b6157. Leave it empty for the usual one.",
  noColour:
    "Nothing was saved. A colour is # with six digits or letters from a to f, such as #0b6157.",
  lowContrast: {
    light: (measured: string, min: number) =>
      `Nothing was saved. The colour for light ground has a contrast of ${measured}, too little to be read well: at least ${min} is needed. Take a darker one.`,
    dark: (measured: string, min: number) =>
      `Nothing was saved. The colour for dark ground has a contrast of ${measured}, too little to be read well: at least ${min} is needed. Take a lighter one.`,
  },
  style: "Style sheet",
  styleHint:
    "CSS of at most 20 kB, after that of Kith. It loads nothing from other servers. The administration and the sign-in do not use it, so you can always remove it.",
  nothingSaved: "Nothing was saved.",
  styleFaults: {
    too_long: "The style sheet is too long.",
    unreadable: (line: number) =>
      `The style sheet cannot be read: see its line ${line}.`,
    forbidden: (what: string) => `A style sheet here cannot use ${what}.`,
    unclosed: "A text or an address in the style sheet is not closed.",
    elsewhere:
      "A style sheet here loads files of this server alone, by addresses that begin with /.",
  },
  saveLook: "Save the appearance",

  welcome: "Welcome",
  steps: "Four small steps, in any order, and you are at home here.",
  allDone: "You have taken all first steps. Have fun!",
  done: "Done.",
  step: {
    picture: {
      title: "Say who you are",
      about: "Add a picture and your name, so that friends recognise you.",
    },
    aspect: {
      title: "Make your first aspect",
      about:
        "An aspect is a group of people, such as Family. You choose for each post which of them see it.",
    },
    person: {
      title: "Find somebody",
      about:
        "By name, or by an address like name@host on any server, and add them to an aspect.",
    },
    post: {
      title: "Write your first post",
      about: "Before you publish it, you see who will read it.",
    },
  },
  toHome: "To your home",
};
