import time

import pytest

from brain.read_api.bodies import judge_body

JSON = "application/json"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b'{"a": "[[[[", "b": "\\"[{", "c": "\\\\"}',
        b"[" * 64 + b"]" * 64,
        '{"a": "İß\U0001f600"}'.encode(),
        b'{"a": "\\ud83d\\ude00"}',
        b'{"a": "\\\\u0000"}',
    ],
)
def test_ordinary_bodies_pass(body):
    assert judge_body(JSON, "", body) is None


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"[" * 65 + b"]" * 65, 400),
        (b'{"a":' * 10_000, 400),
        (b'{"a": 1, "a": 2}', 400),
        (b'{"b": {"a": 1, "\\u0061": 2}}', 400),
        (b'{"a": "\\u0000"}', 400),
        (b'{"a": "\\ud800"}', 400),
        (b'{"\\udfff": 1}', 400),
        (b'{"a": "\xff"}', 400),
        (b"{", 400),
        (b'{"a": "', 400),
        (b"{}{}", 400),
        (b"\x00", 400),
        (b"1" * 10_000, 400),
    ],
)
def test_other_bodies_are_refused(body, status):
    assert judge_body(JSON, "", body).status == status


@pytest.mark.parametrize("name", ["", "text/plain", "application/jsonp", "application/json5"])
def test_what_is_not_called_json_is_415(name):
    assert judge_body(name, "", b"{}").status == 415


def test_parameters_and_case_of_the_content_type_do_not_matter():
    assert judge_body("Application/JSON; charset=utf-8", "identity", b"{}") is None


def test_compressed_bodies_are_415():
    assert judge_body(JSON, "gzip", b"{}").status == 415


@pytest.mark.parametrize(
    "body", [b"[" * 2**20, b'"' * 2**20, b'"\\' * 2**19, b"[]," * 2**18, b'["' + b"\\" * 2**20]
)
def test_the_largest_body_is_judged_in_a_moment(body):
    began = time.perf_counter()

    judge_body(JSON, "", body)

    assert time.perf_counter() - began < 10
