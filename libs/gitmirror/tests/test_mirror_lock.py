import threading

import pytest

from brain.gitmirror.mirror_lock import MirrorBusyError, locked


def test_a_held_lock_is_refused_and_a_released_one_is_not(tmp_path):
    path = tmp_path / "lock"
    with locked(path, 1), pytest.raises(MirrorBusyError), locked(path, 0.1):
        pass
    with locked(path, 0):
        assert path.exists()


def test_one_who_waited_on_a_deleted_file_excludes_the_next(tmp_path):
    path = tmp_path / "lock"
    held, waiting, done = threading.Event(), threading.Event(), threading.Event()

    def wait_for_it():
        waiting.set()
        with locked(path, 10):
            held.set()
            done.wait(10)

    with locked(path, 1):
        thread = threading.Thread(target=wait_for_it)
        thread.start()
        waiting.wait(10)
        held.wait(0.2)
        path.unlink()
    held.wait(10)

    with pytest.raises(MirrorBusyError), locked(path, 0.1):
        pass
    done.set()
    thread.join()
