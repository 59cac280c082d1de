"""Reading ahead: several originals at once, their results in order."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final, TypeVar

from treering.ingest.versions import Documents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

WORKERS: Final = 2
"""Documents that are read at once, each in a process of its own. Their threads only wait, so text gains nothing by it.
Six copies of the documents of a test collection take .82 of the time that one at a time takes, on two cores."""

_AHEAD: Final = 2 * WORKERS
"""Originals that may wait to be kept: as many are in memory at the same time."""

_In = TypeVar("_In")
_Out = TypeVar("_Out")


def in_order(work: Callable[[_In, Documents], _Out], inputs: Iterable[_In]) -> Iterator[_Out]:
    """Yield what ``work`` makes of each input, in the order of the inputs; a few are worked on ahead.

    Args:
        work: may be called from several threads, each time with documents that are its own for that time. What it
            raises is raised here, when its turn comes.
        inputs: taken one by one in the calling thread.

    Raises:
        BaseException: what ``work`` raised.
    """
    made = [Documents() for _ in range(WORKERS)]
    free: SimpleQueue[Documents] = SimpleQueue()
    for one in made:
        free.put(one)

    def run(value: _In) -> _Out:
        documents = free.get()
        try:
            return work(value, documents)
        finally:
            free.put(documents)

    pool = ThreadPoolExecutor(WORKERS, "reading")
    waiting: deque[Future[_Out]] = deque()
    try:
        for value in inputs:
            waiting.append(pool.submit(run, value))
            if len(waiting) > _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BaseException:  # interrupted: nobody waits for what is being read
        for one in made:
            one.abandon()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        for one in made:
            one.close()
