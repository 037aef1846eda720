import nats
import pytest
from nats.js.api import StreamConfig

pytestmark = pytest.mark.integration


async def test_the_server_has_jetstream(nats_url):
    client = await nats.connect(nats_url)
    stream = await client.jetstream().add_stream(StreamConfig(name="SEEN", subjects=["seen"]))
    await client.close()

    assert stream.config.name == "SEEN"
