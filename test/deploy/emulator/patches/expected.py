"""A patch stops the emulator where it does not fit, rather than let a test mean something else."""

from importlib.metadata import version

PINNED = "1.5.33"


def expect(holds, what):
    """Holds what a patch relies on?"""
    if not holds:
        raise SystemExit(f"ministack {version('ministack')} (patched for {PINNED}): {what}")


def take(module, name):
    """A function that a patch is about to replace."""
    found = getattr(module, name, None)
    expect(callable(found), f"{module.__name__} has no {name}")
    return found
