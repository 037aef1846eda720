import pytest

from brain.access.token import (
    WeakTokenError,
    hash_token,
    is_same_token,
    new_token,
    require_strong,
)


def test_tokens_are_long_different_and_known_to_scanners():
    tokens = {new_token() for _ in range(100)}

    assert len(tokens) == 100
    assert all(token.startswith("brain_") and len(token) >= 49 for token in tokens)


def test_a_token_is_known_by_its_hash_alone():
    token = new_token()

    assert is_same_token(token, hash_token(token))
    assert not is_same_token(token + "x", hash_token(token))
    assert token.encode() not in hash_token(token)


@pytest.mark.parametrize("token", ["", "changeme", "CHANGE-ME", "secret", "x" * 15])
def test_tokens_that_anybody_would_guess_are_refused(token):
    with pytest.raises(WeakTokenError):
        require_strong(token)


def test_a_strong_token_is_taken_as_it_is():
    assert require_strong("x9-" * 6) == "x9-" * 6
