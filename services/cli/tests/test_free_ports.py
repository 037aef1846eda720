import socket

from brain.cli.free_ports import free_port_base, is_free_base
from brain.testkit.ports import free_port_pair


def test_the_preferred_base_is_kept_when_both_its_ports_are_free():
    base = free_port_pair()

    assert free_port_base(base) == base


def test_a_taken_second_port_moves_on_by_ten():
    base = free_port_pair()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", base + 1))
        taken.listen()

        assert not is_free_base(base)
        found = free_port_base(base)

    assert found > base
    assert is_free_base(found)
