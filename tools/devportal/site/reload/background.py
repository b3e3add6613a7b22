"""What a served site does once an edit is shown, while nobody waits for it."""

import contextvars
import threading
from collections.abc import Callable

PAUSE_S = 0.3
"""How long browsers have to ask for pages again before a task begins: it takes time from who answers them."""


class BackgroundTask:
    """One task at a time, in a thread."""

    def __init__(self) -> None:
        """Start with nothing to do."""
        self._is_awaited = threading.Event()
        self._thread: threading.Thread | None = None
        self._error: BaseException | None = None

    def start(self, task: Callable[[], object]) -> None:
        """Begin a task soon, in the language of the caller, once the last one has ended. Raises what `wait` raises."""
        self.wait()
        self._is_awaited.clear()
        context = contextvars.copy_context()
        self._thread = threading.Thread(target=context.run, args=(self._run, task), daemon=True)
        self._thread.start()

    def _run(self, task: Callable[[], object]) -> None:
        self._is_awaited.wait(PAUSE_S)
        try:
            task()
        except BaseException as error:  # noqa: BLE001 - who waits gets it
            self._error = error

    def wait(self) -> None:
        """Wait until the task has ended. Raises what it has raised, once."""
        self._is_awaited.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        error, self._error = self._error, None
        if error is not None:
            raise error
