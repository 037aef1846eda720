from brain.cli.backoff import next_delay


def test_delays_double_up_to_half_a_minute():
    delays = [0.0]
    for _ in range(8):
        delays.append(next_delay(delays[-1], lived_s=1.0))

    assert delays[1:] == [0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30.0]


def test_a_healthy_minute_starts_over():
    assert next_delay(25.6, lived_s=60.0) == 0.4
