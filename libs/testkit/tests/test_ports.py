import socket

from brain.testkit.ports import free_port_pair


def test_a_pair_can_be_listened_on():
    port = free_port_pair()

    with socket.create_server(("127.0.0.1", port)), socket.create_server(("127.0.0.1", port + 1)):
        pass


def test_a_pair_with_a_taken_second_port_is_passed_over():
    first = free_port_pair()

    with socket.create_server(("127.0.0.1", first + 1)):
        assert free_port_pair() != first
