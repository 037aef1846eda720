"""A server process for tests of the supervisor: answers /readyz on BRAIN_HTTP_PORT."""

import http.server
import os


class Ready(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/readyz" else 404)
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *arguments):
        """Say nothing."""


print("stand-in host listens", flush=True)
http.server.HTTPServer(("127.0.0.1", int(os.environ["BRAIN_HTTP_PORT"])), Ready).serve_forever()
