import base64
import contextlib
import datetime as dt
import http.server
import ipaddress
import ssl
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pygit2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from pygit2.enums import ObjectType

from brain.gitmirror.libgit2 import settle_libgit2
from brain.gitmirror.mirror import Mirror
from brain.gitmirror.object_store import ObjectStore

_ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}


class Source:
    """A repository built from raw objects, so that it may hold what Git would refuse to write."""

    def __init__(self, path: Path, *, bare: bool = False):
        settle_libgit2()
        self.path = path
        self.repository = pygit2.init_repository(str(path), bare=bare, initial_head="main")
        self.git_dir = Path(self.repository.path)
        self.clock = 1_700_000_000

    def blob(self, content: bytes) -> str:
        return str(self.repository.odb.write(ObjectType.BLOB, content))

    def tree(self, entries) -> str:
        """Write a tree as given: no sorting, no check of names."""
        raw = b"".join(b"%o %s\0" % (m, n) + bytes.fromhex(oid) for m, n, oid in entries)
        return str(self.repository.odb.write(ObjectType.TREE, raw))

    def tree_of(self, files: dict) -> str:
        entries = []
        for name, content in files.items():
            if isinstance(content, dict):
                entries.append((0o40000, name, self.tree_of(content)))
            else:
                entries.append((0o100644, name, self.blob(content)))
        return self.tree(sorted(entries, key=lambda e: e[1] + b"/" * (e[0] == 0o40000)))

    def commit_tree(self, tree: str, *, branch: str = "main", parents: list | None = None) -> str:
        reference = f"refs/heads/{branch}"
        if parents is None:
            known = reference in self.repository.references
            parents = [str(self.repository.references[reference].target)] if known else []
        self.clock += 60
        lines = [f"tree {tree}", *(f"parent {parent}" for parent in parents)]
        who = f"A <a@example.org> {self.clock} +0000"
        text = "\n".join([*lines, f"author {who}", f"committer {who}", "", "change\n"])
        oid = self.repository.odb.write(ObjectType.COMMIT, text.encode())
        self.repository.references.create(reference, oid, force=True)
        return str(oid)

    def commit(self, files: dict, **where) -> str:
        return self.commit_tree(self.tree_of(files), **where)

    def git(self, *arguments: str) -> str:
        return run_git_in(self.path, *arguments)

    @property
    def store(self) -> ObjectStore:
        return ObjectStore(self.git_dir / "objects")

    def object_file(self, oid: str) -> Path:
        return self.git_dir / "objects" / oid[:2] / oid[2:]


def run_git_in(path: Path, *arguments: str) -> str:
    command = ["git", "-C", str(path), *arguments]
    done = subprocess.run(command, env=_ENVIRONMENT, check=True, capture_output=True, timeout=30)
    return done.stdout.decode()


SECRET = "s3cr3t-t0ken"
_AUTHORIZATION = "Basic " + base64.b64encode(f"reader:{SECRET}".encode()).decode()


class GitServer(http.server.ThreadingHTTPServer):
    """Serves the repositories below a folder.

    A path that starts with ``/private`` asks for the credential, ``/moved`` redirects to
    *elsewhere*, ``/hang`` never answers, ``/slow`` sends a byte and then nothing, and ``/echo``
    asks for the credential and then repeats it in an error.
    """

    daemon_threads = True

    def __init__(self, root: Path):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.root = root
        self.elsewhere = ""
        self.ended = threading.Event()
        #: Path and Authorization header of every request.
        self.requests: list[tuple[str, str | None]] = []

    secret = SECRET

    @property
    def authority(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request, client_address):
        """Stay silent about clients that go away."""


class _Handler(http.server.BaseHTTPRequestHandler):
    server: GitServer

    def do_GET(self):
        self.server.requests.append((self.path, self.headers["Authorization"]))
        if self.path.startswith("/moved"):
            self.answer(302, Location=self.server.elsewhere + self.path.removeprefix("/moved"))
        elif self.path.startswith("/hang"):
            self.server.ended.wait(30)
        elif self.path.startswith("/slow"):
            self.answer(200, **{"Content-Length": "1000", "Content-Type": "text/plain"})
            self.wfile.write(b"x")
            self.server.ended.wait(30)
        elif self.path.startswith("/echo") and self.headers["Authorization"]:
            said = b"you said " + base64.b64decode(
                (self.headers["Authorization"] or "").partition(" ")[2]
            )
            self.answer(403, **{"Content-Type": "text/plain", "Content-Length": str(len(said))})
            self.wfile.write(said)
        elif (
            self.path.startswith(("/private", "/echo"))
            and self.headers["Authorization"] != _AUTHORIZATION
        ):
            self.answer(401, **{"WWW-Authenticate": 'Basic realm="notes"'})
        else:
            self.run_backend()

    do_POST = do_GET  # noqa: N815 - http.server looks this name up

    def answer(self, status, **headers):
        self.send_response(status)
        for name, value in {"Content-Length": "0", **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def run_backend(self):
        path, _, query = self.path.removeprefix("/private").partition("?")
        length = self.headers["Content-Length"] or "0"
        environment = {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_PROJECT_ROOT": str(self.server.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "REQUEST_METHOD": self.command,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "CONTENT_TYPE": self.headers["Content-Type"] or "",
            "CONTENT_LENGTH": length,
            "HTTP_CONTENT_ENCODING": self.headers["Content-Encoding"] or "",
            "GIT_PROTOCOL": self.headers["Git-Protocol"] or "",
        }
        body = self.rfile.read(int(length))
        done = subprocess.run(
            ["git", "http-backend"], env=environment, input=body, capture_output=True, check=True
        )
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        status = int(headers.pop("Status", "200").split()[0])
        self.answer(status, **headers | {"Content-Length": str(len(content))})
        self.wfile.write(content)

    def log_message(self, *_):
        """Stay silent."""


@contextlib.contextmanager
def serving(root: Path, certificate: Path | None) -> Iterator[GitServer]:
    """Serve *root* over TLS with the PEM file *certificate*, or plainly without one."""
    server = GitServer(root)
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield server
    finally:
        server.ended.set()
        server.shutdown()
        thread.join()
        server.server_close()


def write_certificate(path: Path) -> None:
    """Write a key and a certificate for 127.0.0.1, signed by itself, as one PEM file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = dt.datetime.now(dt.UTC)
    alternative = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(alternative, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.write_bytes(secret + certificate.public_bytes(serialization.Encoding.PEM))


@pytest.fixture
def make_source(tmp_path):
    def make(name="source", *, bare=False):
        return Source(tmp_path / name, bare=bare)

    return make


@pytest.fixture
def source(make_source):
    return make_source()


@pytest.fixture
def mirror(tmp_path):
    return Mirror(tmp_path / "mirrors", 7)


@pytest.fixture
def git_in():
    return run_git_in


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    path = tmp_path_factory.mktemp("tls") / "server.pem"
    write_certificate(path)
    return path


@pytest.fixture
def serve(tmp_path):
    (tmp_path / "served").mkdir()
    return lambda certificate: serving(tmp_path / "served", certificate)


@pytest.fixture
def server(serve, certificate):
    with serve(certificate) as server:
        yield server
