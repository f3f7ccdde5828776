/** The English texts of the first run, and of what a server says about itself. */
export const englishSetup = {
  title: "Set up this server",
  about:
    "Nobody runs this server yet. Create your account: it will be the admin of the server.",
  code: "Set-up code",
  codeHint:
    "The server printed it when it started. It works once, for the first admin.",
  wrongCode: "This is not the code that the server printed.",
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
  registration: "Who may sign up",
  registrations: {
    configured: "As the configuration of the server says",
    open: "Anybody",
    approval: "Anybody, once a moderator has approved the account",
    closed: "Nobody without an invitation",
  },
  save: "Save",
  firstSteps: "Your own first steps",
  tooLong: (max: Readonly<Record<"name" | "description" | "rules", number>>) =>
    `Nothing was saved. A name has at most ${max.name} characters, a description ${max.description}, and the rules ${max.rules}.`,

  aboutServer: (name: string) => `About ${name}`,
  noRules: "This server has no rules of its own.",
  readRules: "Rules, and more about this server",
  software: "This server runs Kith.",
  api: "Its interface for programs",

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
