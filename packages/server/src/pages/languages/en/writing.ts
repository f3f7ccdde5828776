/** The English texts of the forms that edit and delete. */
export const englishWriting = {
  editPost: "Edit your post",
  editComment: "Edit your comment",
  text: "Text",
  hint: "Markdown works: *emphasis*, **strong**, > quote, [link](https://…).",
  warning: "Content warning",
  warningHint:
    "Shown instead of the text until a reader opens it. It may be empty.",
  audience: "Who sees it, as before:",
  ignored:
    "Some recipients are on diaspora* servers, which keep the earlier version.",
  save: "Save",
  cancel: "Cancel",
  blank: "Write something first.",
  tooLong: (max: number) => `The text has at most ${max} characters.`,
  expired:
    "The form was out of date, so nothing was changed. Your words are still here: save them again.",
  signedOut:
    "You had been signed out, so nothing was changed. Your words are still here: save them now.",
  deletePost: "Delete this post?",
  deleteComment: "Delete this comment?",
  deletePostAbout:
    "Its comments and likes are deleted with it. Other servers are told to delete it, too; whether they do is up to them.",
  deleteCommentAbout:
    "Other servers are told to delete it, too; whether they do is up to them.",
  delete: "Delete",
  redraft: "Delete and write again",
  redraftAbout:
    "All that you wrote is kept as a draft, with its pictures. Comments, likes and votes go.",
  redraftRefused:
    "Nothing was deleted: the draft could not be saved. Delete some of your drafts first.",
  keep: "Keep it",
};
