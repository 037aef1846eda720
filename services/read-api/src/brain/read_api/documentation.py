"""The API's documentation: one page that loads nothing from anywhere else."""

from importlib.util import find_spec
from pathlib import Path

from litestar import Router
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import SwaggerRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme
from litestar.static_files import create_static_files_router

from brain.read_api.authentication import needs, public

_PATH = "/api/docs"
_ASSETS = f"{_PATH}/assets"
_ABOUT = (
    "The tree of a project, its text with citations, and the projects themselves. Press "
    "*Authorize* and paste a token: `brain up` prints one, `brain token create` makes others."
)
#: Inline, because the framework's own icon would be fetched from a content network.
_ICON = (
    "<link rel='icon' href=\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' "
    "viewBox='0 0 16 16'><circle cx='8' cy='8' r='7' fill='%232f6f8f'/></svg>\">"
)


def documentation(*, open_to_all: bool) -> OpenAPIConfig:
    """Describe the API's documentation; see `docs/decisions/0012-public-without-a-token.md`.

    On loopback anybody may open it in a browser; elsewhere it needs a token.
    """
    return OpenAPIConfig(
        title="Brain",
        version="1",
        description=_ABOUT,
        security=[{"token": []}],
        use_handler_docstrings=True,
        components=Components(security_schemes={"token": SecurityScheme("http", scheme="bearer")}),
        openapi_router=Router(
            _PATH,
            route_handlers=[],
            opt=public() if open_to_all else needs(),
            include_in_schema=False,
            dto=None,
            return_dto=None,
        ),
        render_plugins=[
            SwaggerRenderPlugin(
                js_url=f"{_ASSETS}/swagger-ui-bundle.js",
                css_url=f"{_ASSETS}/swagger-ui.css",
                standalone_preset_js_url=f"{_ASSETS}/swagger-ui-standalone-preset.js",
                favicon=_ICON,
            )
        ],
    )


def documentation_assets() -> Router:
    """Serve the scripts of the documentation page from the package that carries them.

    Raises:
        FileNotFoundError: the package is not installed.
    """
    package = find_spec("flask_swagger_ui")  # found, never imported: it would import Flask
    if package is None or package.origin is None:
        raise FileNotFoundError("flask_swagger_ui")
    return create_static_files_router(
        path=_ASSETS,
        directories=[Path(package.origin).parent / "dist"],
        opt=public(),
        include_in_schema=False,
    )
