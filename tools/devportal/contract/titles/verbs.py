"""Verbs in ids and paths of operations."""

INTRANSITIVE_VERBS = frozenset({"log", "login", "logout"})
"""Verbs of what a client does itself, not with what a group is called after."""
REMOVALS = frozenset(
    {"cancel", "clear", "deactivate", "delete", "destroy", "detach", "disable", "disconnect", "dismiss", "expire",
     "leave", "logout", "purge", "redact", "reject", "remove", "reset", "revoke", "stop", "unarchive", "unassign",
     "unblock", "undo", "unfollow", "unlink", "unlock", "unmute", "unpublish", "unsubscribe", "void", "withdraw"}
)  # fmt: skip
"""Verbs that end something, as DELETE does (RFC 9110 §9.3.5)."""
ADDING_VERBS = frozenset({"create", "insert"})
"""Verbs that end the path of a collection and make one of it: `POST /users/create`."""
ADJECTIVE_VERBS = frozenset({"mark"})
"""Verbs whose further words say what something becomes: mark an invoice uncollectible."""
ACTIONS = frozenset(
    {"accept", "activate", "add", "apply", "approve", "archive", "assign", "attach", "authorize", "block",
     "calculate", "cancel", "capture", "check", "clear", "clone", "close", "complete", "confirm", "connect",
     "convert", "create", "deactivate", "decline", "delete", "deliver", "deploy", "destroy", "detach", "disable",
     "disconnect", "dismiss", "download", "duplicate", "edit", "enable", "execute", "expire", "export",
     "extend", "fetch", "finalize", "find", "follow", "freeze", "generate", "get", "import", "increment",
     "insert", "invoke", "join", "kick", "leave", "list", "lock", "log", "login", "logout", "mark", "merge", "migrate",
     "move", "mute", "notify", "parse", "pause", "pay", "ping", "preview", "process", "promote", "publish",
     "reactivate", "rebuild", "redact", "redeem", "refresh", "refund", "regenerate", "register", "reject",
     "reload", "remove", "rename", "renew", "reopen", "reorder", "replace", "resend", "reset", "resolve", "restart",
     "restore", "restrict", "resume", "retry", "reverse", "revoke", "rotate", "run", "search", "send", "ship",
     "simulate", "snooze",
     "start", "stop", "submit", "subscribe", "suspend", "sync", "trigger", "unarchive", "unassign", "unban", "unblock",
     "undo", "unfollow", "unlink", "unlock", "unmute", "unpin", "unpublish", "unsubscribe", "unsuspend", "update",
     "upgrade", "upload", "validate", "verify", "void", "withdraw"}
)  # fmt: skip
"""Verbs that end paths. Words that are nouns as often, such as `report` and `transfer`, are not among them."""
METHOD_VERBS = ACTIONS - INTRANSITIVE_VERBS | {
    "acknowledge", "copy", "empty", "hide", "modify", "patch", "pull", "query", "set", "test", "trash", "undelete",
    "unhide", "untrash", "watch", "write",
}  # fmt: skip
"""Verbs of methods in ids, where no noun is in their place."""
NOUNS_IN_PHRASES = frozenset({"answer", "ban", "check", "download", "export", "import", "login", "merge", "pin",
                               "post", "refund", "report", "search", "test", "transfer", "upload"})  # fmt: skip
"""Verbs that are nouns before a plural: login links, export jobs."""
VERBS_IN_PHRASES = frozenset(
    {"answer", "get", "link", "list", "mark", "post", "report", "request", "set", "test", "transfer"}
)
"""Further verbs, if more words follow them."""
