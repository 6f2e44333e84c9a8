"""Starts ministack, with what our template needs and it lacks put in (README.md, beside this)."""

import os
import signal
import sys
import threading
import time

from patches import (
    absent_stack,
    alias_action,
    handler_failure,
    key_of_authorizer,
    metric_math,
    nested_stack,
    plain_transport,
    query_characters,
    read_capacity,
    response_size,
    response_stream,
    silent_handler,
    table_import,
)

for patch in (
    absent_stack,
    alias_action,
    handler_failure,
    key_of_authorizer,
    metric_math,
    nested_stack,
    plain_transport,
    read_capacity,
    response_size,
    response_stream,
    silent_handler,
    table_import,
    query_characters,
):
    patch.apply()

# Only now: it takes some of what is patched by name.
from ministack.app import main  # noqa: E402


GRACE_SECONDS = 3


def end_with_the_tests():
    """The other end of the standard input closes when the tests end, however they do."""
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)
    # It waits for connections that are kept open; the functions end with it.
    time.sleep(GRACE_SECONDS)
    os._exit(1)


threading.Thread(target=end_with_the_tests, daemon=True).start()
main()
