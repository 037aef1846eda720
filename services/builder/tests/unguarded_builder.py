"""A builder whose guards are taken out, to show that the fencing tests would notice.

Arguments name the guards: ``lock``, ``fence``. The build child runs this file as its main module
with the same arguments, so the patches hold there as well.
"""

import sys

from brain.builder import build
from brain.builder.__main__ import main
from brain.store import build_session

if "lock" in sys.argv:
    build.try_build_lock = lambda _session, _source_id: True
    build.release_build_lock = lambda _session, _source_id: None
if "fence" in sys.argv:
    build_session._check_fence = lambda _session, _start: None

if __name__ == "__main__":
    main()
