"""Every error that Treering raises on purpose, as one tree.

    TreeringError
    ├─ InputError   2   BadFilter · BadSetting · BadOperations
    ├─ NotFound     3
    ├─ Refused      4   NotAllowed · QuoteNotFound · HasDependents · SecretFound · NothingSaid · Echo · Paused ·
    │                   IndexBehind · OutsideRoot · StoreTooNew · ReadOnlyStore · BriefingsFull
    ├─ Conflict     5   StaleRevision · StoreBusy
    ├─ Unavailable  6   EmbedderFailed · StorageFailed · ExtraNotInstalled · BackendUnreachable · BackendUnfit
    └─ Damaged      7   NotAStore

An error states what happened and to what; its ``hint`` is the next command. Anything else that
escapes is a bug of ours (exit status 70). Exit status 1 is no error: it means "ran well, the
answer is no".
"""

from __future__ import annotations


class TreeringError(Exception):
    """Base of all errors that a user can cause or mend.

    Attributes:
        code: stable name for programs, e.g. ``not_found``.
        exit_status: what the command line exits with.
        hint: the command or step that mends it; empty when there is none.
    """

    code = "error"
    exit_status = 70

    def __init__(self, message: str = "", *, hint: str = "") -> None:
        super().__init__(message or (type(self).__doc__ or "").strip().splitlines()[0])
        self.hint = hint


class InputError(TreeringError, ValueError):
    """The request itself is malformed."""

    code = "bad_input"
    exit_status = 2


class BadFilter(InputError):
    """A metadata filter cannot be read."""

    code = "bad_filter"


class BadSetting(InputError):
    """A setting has an unknown name or an impossible value."""

    code = "bad_setting"


class BadOperations(InputError):
    """Operations on memories cannot be read; the message says all that is wrong with all of them."""

    code = "bad_operations"


class NotFound(TreeringError, LookupError):
    """No such id, path or store."""

    code = "not_found"
    exit_status = 3


class NoSlots(NotFound):
    """What was named is there, and no slot speaks of it, or it may be several things."""


class Refused(TreeringError):
    """The request is understood and not carried out."""

    code = "refused"
    exit_status = 4


class NotAllowed(Refused):
    """The caller may not do this."""

    code = "not_allowed"


class QuoteNotFound(Refused):
    """A quote does not stand in the source that it names."""

    code = "quote_not_found"


class HasDependents(Refused):
    """Memories rest on what is to be erased."""

    code = "has_dependents"


class BriefingsFull(Refused):
    """As many briefings are active as there may be."""

    code = "briefings_full"


class SecretFound(Refused):
    """A text that was to be stored holds a key, a token or a password."""

    code = "secret_found"


class NothingSaid(Refused):
    """A text that was to be stored says nothing by itself."""

    code = "nothing_said"


class Echo(Refused):
    """A text that was to be stored gives back what this memory handed out."""

    code = "echo"


class Paused(Refused):
    """Capture is paused: agents write nothing, and nothing is imported."""

    code = "paused"


class IndexBehind(Refused):
    """Answering would rest on metadata or files that are no longer known to be true."""

    code = "index_behind"


class OutsideRoot(Refused):
    """A path leads out of the directory it was named under."""

    code = "outside_root"


class StoreTooNew(Refused):
    """The store was written by a newer Treering."""

    code = "store_too_new"


class ReadOnlyStore(Refused):
    """The store cannot be written here."""

    code = "read_only_store"


class Conflict(TreeringError):
    """Somebody else was there first."""

    code = "conflict"
    exit_status = 5


class StaleRevision(Conflict):
    """A memory has changed since the caller saw it."""

    code = "stale_revision"


class StoreBusy(Conflict):
    """Another process kept the store locked for longer than the timeout."""

    code = "store_busy"


class Unavailable(TreeringError):
    """Something that this needs is not there."""

    code = "unavailable"
    exit_status = 6


class EmbedderFailed(Unavailable):
    """An embedder gave no usable vectors."""

    code = "embedder_failed"


class StorageFailed(Unavailable):
    """The disk or the operating system refused a read or a write."""

    code = "storage_failed"


class ExtraNotInstalled(Unavailable):
    """A part of Treering that is installed on request is not there."""

    code = "extra_not_installed"


class BackendUnreachable(Unavailable):
    """A database server does not answer, or lets nobody in."""

    code = "backend_unreachable"


class BackendUnfit(Unavailable):
    """A database server is too old, or lacks an extension."""

    code = "backend_unfit"


class Damaged(TreeringError):
    """Stored data is not what was written."""

    code = "damaged"
    exit_status = 7


class NotAStore(Damaged):
    """The file is not a Treering store."""

    code = "not_a_store"
