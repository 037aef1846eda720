import socket
import stat

import nats
import pytest

from brain.embedded.nats import ANY_PORT, chosen_port, prepare_nats, server_settings
from brain.embedded.process import running

pytestmark = pytest.mark.integration


async def test_only_the_generated_password_lets_in(tmp_path):
    server = prepare_nats(tmp_path / "nats", ANY_PORT)

    with running(server.program, tmp_path / "log") as process:
        client = await connect(server, tmp_path, process)
        await client.close()
        answer = answer_without_password(chosen_port(tmp_path / "nats", process.pid))

    assert answer == b"-ERR 'Authorization Violation'\r\n"


def answer_without_password(port):
    with socket.create_connection(("127.0.0.1", port)) as connection:
        lines = connection.makefile("rb")
        lines.readline()
        connection.sendall(b"CONNECT {}\r\nPING\r\n")
        answer = lines.readline()
        lines.close()
    return answer


async def test_what_was_acknowledged_survives_a_killed_server(tmp_path):
    server = prepare_nats(tmp_path / "nats", ANY_PORT)
    with running(server.program, tmp_path / "log") as process:
        client = await connect(server, tmp_path, process)
        stream = client.jetstream()
        await stream.add_stream(name="KEPT", subjects=["kept"])
        await stream.publish("kept", b"word")
        await client.close()
        process.kill()

    again = prepare_nats(tmp_path / "nats", ANY_PORT)
    with running(again.program, tmp_path / "log") as process:
        client = await connect(again, tmp_path, process)
        message = await client.jetstream().get_last_msg("KEPT", "kept")
        await client.close()

    assert message.data == b"word"


async def connect(server, folder, process):
    address = f"nats://127.0.0.1:{chosen_port(folder / 'nats', process.pid)}"
    return await nats.connect(server._replace(address=address).url)


async def test_a_folder_may_have_any_printable_name(tmp_path):
    folder = tmp_path / "Müşteri 日本 🐙 '\"$HOME;#{\\"
    server = prepare_nats(folder, ANY_PORT)

    with running(server.program, tmp_path / "log") as process:
        port = chosen_port(folder, process.pid)

    assert port is not None
    assert (folder / "store").is_dir()


def test_secrets_are_readable_by_us_alone(tmp_path):
    prepare_nats(tmp_path / "nats", 4222)

    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "nats").iterdir()}
    assert modes == {"nats.json": 0o600, "password": 0o600}


def test_the_password_stays_the_same(tmp_path):
    first = prepare_nats(tmp_path / "nats", 4222)

    assert prepare_nats(tmp_path / "nats", 4222).password == first.password


def test_every_acknowledged_write_is_synced(tmp_path):
    settings = server_settings(tmp_path, 4222, "secret", durable=True)

    assert settings["jetstream"]["sync_interval"] == "always"
    assert settings["host"] == "127.0.0.1"
