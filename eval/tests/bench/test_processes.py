import os
import subprocess
import sys

from brain.evaluation.bench.processes import cpu_seconds, family, peak_of, pss_bytes

HOLD = "import sys; held = bytearray(b'x') * 60_000_000; print(flush=True); sys.stdin.read()"


def held_by():
    return subprocess.Popen(
        [sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


def test_a_family_holds_what_its_members_hold():
    with held_by() as child:
        child.stdout.readline()

        members = family(os.getpid())

        assert {os.getpid(), child.pid} <= members
        assert 60e6 < pss_bytes([child.pid]) < 90e6
        assert cpu_seconds([child.pid]) < 30
        child.stdin.close()


def test_what_ended_holds_nothing():
    with held_by() as child:
        child.stdin.close()
    child.wait()

    assert pss_bytes([child.pid]) == 0


def test_the_peak_outlives_the_process_that_held_it():
    def watched():
        return [each.pid for each in children]

    children = []
    with peak_of(watched) as peak, held_by() as child:
        children.append(child)
        child.stdout.readline()
        while peak[0] < 50e6:
            pass
        child.stdin.close()

    assert 50e6 < peak[0] < 90e6
