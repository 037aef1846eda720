"""The instance a command speaks to: its address, its token, and what it says when it refuses."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn

import httpx

from brain.cli.errors import CliError
from brain.cli.instance import read_instance
from brain.cli.settings import Settings

_TIMEOUT = httpx.Timeout(90.0, connect=5.0)
_STREAM_TIMEOUT = httpx.Timeout(None, connect=5.0)


class NotRunningError(CliError):
    """No instance is known."""

    code = "not-running"

    def __init__(self, data: str) -> None:
        super().__init__(
            f"No instance runs on {data}. Start one with `brain up`, or name one with --url and "
            "--token."
        )


class UnreachableError(CliError):
    """The instance does not answer."""

    code = "unreachable"

    def __init__(self, url: str, detail: str) -> None:
        super().__init__(f"{url} does not answer: {detail or 'no reply'}")


class UnsendableError(CliError):
    """An argument cannot stand in a request."""

    code = "bad-request"

    def __init__(self, reason: str) -> None:
        super().__init__(f"An argument {reason}.")


class AddressError(CliError):
    """What was given as the instance's address is none."""

    code = "bad-address"

    def __init__(self, url: str) -> None:
        super().__init__(f"{url!r} is no address of an instance, such as http://127.0.0.1:7700.")


class TokenCharactersError(CliError):
    """What was given as a token cannot be one."""

    code = "bad-token"

    def __init__(self) -> None:
        super().__init__("The token holds a character that no token has; was it copied whole?")


class ProblemError(CliError):
    """The instance refused; its own words."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        self.status = status
        self.code = str(problem.get("code", "failed"))
        super().__init__(str(problem.get("detail") or problem.get("title") or f"HTTP {status}"))


class Remote:
    """One instance's REST API.

    Args:
        settings: where it is; without a URL, the instance of the data folder.

    Raises:
        NotRunningError: neither a URL is given nor an instance runs on the data folder.
        AddressError: the URL is none.
        TokenCharactersError: the token cannot stand in a header.
    """

    def __init__(self, settings: Settings) -> None:
        instance = read_instance(settings.data)
        url = settings.url or (instance.rest_url if instance else None)
        if url is None:
            raise NotRunningError(str(settings.data))
        self.url = _address(url.strip()).rstrip("/").removesuffix("/api") + "/api"
        self.token = (settings.token or (instance.token if instance else "")).strip()
        if not (self.token.isascii() and self.token.isprintable()):
            raise TokenCharactersError

    @property
    def mcp_url(self) -> str:
        """Where the instance serves MCP."""
        return self.url.removesuffix("/api") + "/mcp"

    def get(self, path: str, parameters: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Ask for something; parameters that are None are left out.

        Raises:
            ProblemError: it refused.
            UnreachableError: it does not answer.
        """
        return self._call("GET", path, parameters, None)

    def get_all(
        self, path: str, asked: Iterable[Mapping[str, Any]], agent: str
    ) -> Iterator[dict[str, Any]]:
        """Ask for something again and again over one connection as *agent*; raises as `get`."""
        with self._client(_TIMEOUT) as client:
            client.headers["User-Agent"] = agent
            for parameters in asked:
                with self._answered():
                    response = client.get(path, params=_given(parameters))
                if response.is_error:
                    _refuse(response)
                yield response.json()

    def send(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Have something done; raises as `get` does."""
        return self._call(method, path, None, body)

    @contextmanager
    def lines(
        self, path: str, parameters: Mapping[str, Any] | None = None
    ) -> Iterator[Iterator[str]]:
        """Open a stream of lines; raises as `get` does."""
        with self._client(_STREAM_TIMEOUT) as client, self._answered():
            request = client.build_request("GET", path, params=_given(parameters))
            response = client.send(request, stream=True)
            try:
                if response.is_error:
                    response.read()
                    _refuse(response)
                yield response.iter_lines()
            finally:
                response.close()

    def _call(
        self,
        method: str,
        path: str,
        parameters: Mapping[str, Any] | None,
        body: Mapping[str, Any] | None,
    ) -> dict[str, Any]:
        with self._client(_TIMEOUT) as client, self._answered():
            response = client.request(method, path, params=_given(parameters), json=body)
        if response.is_error:
            _refuse(response)
        answer: dict[str, Any] = response.json()
        return answer

    def _client(self, timeout: httpx.Timeout) -> httpx.Client:
        # trust_env off: the token must not travel through a proxy somebody set for the web.
        return httpx.Client(
            base_url=self.url,
            headers={"Authorization": f"Bearer {self.token}", "User-Agent": "brain-cli"},
            timeout=timeout,
            trust_env=False,
        )

    @contextmanager
    def _answered(self) -> Iterator[None]:
        try:
            yield
        except httpx.TransportError as error:
            raise UnreachableError(self.url, str(error)) from error
        except httpx.InvalidURL as error:
            raise UnsendableError("is too long") from error
        except UnicodeEncodeError as error:
            raise UnsendableError("holds bytes that are not UTF-8") from error


def _address(url: str) -> str:
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise AddressError(url) from error
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise AddressError(url)
    return url


def _given(parameters: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Drop what is None; httpx would take an empty mapping for an order to drop the query."""
    given = {name: value for name, value in (parameters or {}).items() if value is not None}
    return given or None


def _refuse(response: httpx.Response) -> NoReturn:
    try:
        problem = response.json()
    except ValueError:
        problem = {}
    raise ProblemError(response.status_code, problem if isinstance(problem, dict) else {})
