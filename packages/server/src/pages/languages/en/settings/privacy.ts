/** The English texts of the privacy settings. */
export const englishPrivacy = {
  title: "Privacy",
  linkAbout:
    "Who sees your posts, who may quote them, and who may find and follow you",
  usual: "Your usual audience",
  usualAbout:
    "A new post starts with it. You can choose another one for each post; posts that are published already stay as they are.",
  quotableBy: "Who may quote your posts, unless a post says otherwise",
  found: "Finding and following you",
  switches: {
    locked: "I approve each follower",
    searchable: "People may find me by my name",
    indexable: "My public posts may be found by searching",
  },
  hints: {
    locked:
      "People who follow you get your posts for followers, so you may want to know them.",
    searchable:
      "If not, people here find you by your whole address alone, and lists of people leave you out.",
    indexable: "Here and on other servers that respect it.",
  },
  save: "Save",
  saved: "Your choices are saved.",
  refused:
    "Nothing was saved. Choose at least one aspect, or another audience.",
};
